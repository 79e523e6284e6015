// Why a message was refused or waits: a number or a reference → the story.
import { answers, ask } from './ask.js';
import { asCommand, badge, card, count, facts, link, make, meter, none, table, time } from './dom.js';
import { currentProject, report } from './server.js';

const GOOD_OUTCOMES = new Set(['opened', 'resent', 'reentered', 'queued', 'link-returned', 'repeated']);
const BAD_STATES = new Set(['undelivered', 'dead', 'ended', 'late', 'unaddressed']);

export const why = {
  label: 'Why',
  title: 'Why did the message not arrive?',
  intro: 'Why a request for a code or a sign-in was refused, and what happened to its message. '
    + 'Decisions are kept for 24 hours, or less if many requests are refused.',
  show(place, { about, open }) {
    ask(place, [{
      name: 'asked', label: 'Phone number or reference', value: about, isRequired: true,
      hint: '+16505550101 or 7K3M-9QXA-2BCD',
    }], 'Explain', ({ asked }) => explain(asked));
    const load = answers(place);
    if (about) explain(about);

    function explain(asked) {
      const isReference = /^[a-z0-9]{4}-?[a-z0-9]{4}-?[a-z0-9]{4}$/i.test(asked) && !/^\d+$/.test(asked);
      load(async (signal) => {
        const { records, lines } = await report('explain', isReference ? { reference: asked } : { phoneNumber: asked },
          signal);
        const requests = records.filter(({ type }) => type === 'request');
        // The last request and, if it queued no message, the last one that did.
        const told = [requests[0], requests.find((request) => request.outcome === 'opened')];
        const references = isReference ? [asked] : told.map((request) => request?.reference);
        const decisions = records.reduce((all, record) => {
          if (record.type === 'decision') all.push([]);
          all.at(-1)?.push(record);
          return all;
        }, []);
        return [
          !isReference && !requests.length && card('No request',
            none('No request about this number in the last 24 hours. The app may not have sent one, or to another '
              + 'project.')),
          decisions.map((own, index) =>
            story(own, references[index], index ? 'What happened to the last message' : 'What happened')),
          requests.length > 1 && card(`${count(requests.length)} requests of the last 24 hours, the latest first`,
            table('Requests about the number', ['Time', 'Reference', 'Outcome'], requests.map((request) => [
              time(request.at), link(request.reference, () => open('why', request.reference)),
              outcome(request.outcome),
            ]))),
          asCommand(`dialtone explain ${isReference ? '' : `--project ${currentProject()} `}${asked}`, lines),
        ];
      });
    }
  },
};

const outcome = (text) => badge(text.split(' : ')[0], GOOD_OUTCOMES.has(text) ? 'good' : 'bad');

/** Returns a decision and the way of its messages. */
function story(records, reference, title) {
  const decision = records[0];
  const counted = records.filter(({ type }) => type === 'limit');
  const way = records.filter(({ type }) => type === 'message' || type === 'step');
  return [
    card(title,
      verdict(decision, way),
      facts({
        Time: time(decision.at), Request: decision.operation, Reference: make('code', {}, reference),
        Number: decision.number, Region: decision.region, 'App proof': decision.proof,
        'Toll fraud': decision.breaker, Decision: way.length > 0 && decision.outcome,
      }),
      way.length > 0 && make('ol', { class: 'way', 'aria-label': 'The way of the message' }, way.map(step))),
    counted.length > 0 && card('Rate limits that counted it', table('Rate limits', ['Limit', 'Window', 'Used'],
      counted.map(({ name, hours, used, maximum }) => [name, `${hours} h`, meter(used, maximum)]))),
  ];
}

function step(record) {
  if (record.type === 'step') {
    const kind = BAD_STATES.has(record.state) ? 'bad' : record.state === 'unconfirmed' ? '' : 'good';
    return make('li', { class: kind }, time(record.at), record.text);
  }
  const tried = record.tried.filter((name) => name !== record.gateway);
  return make('li', {}, record.gateway ? `to gateway ${record.gateway}` : record.wait ?? 'to no gateway',
    record.channel && record.channel !== 'sms' ? ` (${record.channel})` : '',
    tried.length ? `, after ${tried.join(', ')}` : '',
    record.whyFirst
      ? make('div', { class: 'quiet' }, `first to ${record.firstGateways.join(', ')}: ${record.whyFirst}`) : '',
    record.gatewayId ? make('div', { class: 'quiet' }, `the gateway’s id is ${record.gatewayId}`) : '',
    record.reason ? make('div', {}, record.reason) : '');
}

/** The reason in one sentence: the last thing that happened. */
function verdict(decision, way) {
  const last = way.at(-1);
  const message = way.findLast(({ type }) => type === 'message');
  let [kind, title, detail] = [GOOD_OUTCOMES.has(decision.outcome) ? '' : 'bad', decision.outcome.split(' : ')[0],
    decision.detail];
  if (last?.type === 'step') {
    kind = BAD_STATES.has(last.state) ? 'bad' : last.state === 'unconfirmed' ? 'warn' : 'good';
    [title, detail] = [last.text, message?.reason];
  } else if (message) {
    [kind, title, detail] = ['warn', 'waits in the outbox', message.wait];
  } else if (decision.outcome === 'reentered') {
    [kind, title, detail] = ['warn', 'reentered', 'an earlier session was open and locked: no new message was sent'];
  }
  return make('p', { class: `verdict ${kind}` }, make('strong', {}, title), detail ?? '');
}
