// The audit log, the latest events first.
import { answers, ask } from './ask.js';
import { asCommand, card, count, link, make, none, table, time } from './dom.js';
import { currentProject, now, report } from './server.js';

const PERIODS = { 1: 'last hour', 24: 'last 24 hours', 168: 'last 7 days', 720: 'last 30 days', 0: 'all' };

export const audit = {
  label: 'Audit log',
  title: 'Audit log',
  intro: 'What happened to accounts, and what operators changed. Numbers, addresses and networks are shown as keyed '
    + 'hashes: equal values have equal hashes.',
  show(place, { about, open, auditKinds }) {
    const kinds = { '': 'all', ...Object.fromEntries(auditKinds.map((kind) => [kind, kind])) };
    const form = ask(place, [
      { name: 'asked', label: 'Uid, phone number or reference', value: about, hint: 'all' },
      { name: 'kind', label: 'Kind', options: kinds },
      { name: 'hours', label: 'Period', value: about ? '0' : '24', options: PERIODS },
    ], 'Show', look);
    const load = answers(place);
    form.requestSubmit();

    function look({ asked, kind, hours }) {
      load(async (signal) => {
        const since = Number(hours) ? now() - Number(hours) * 3_600_000 : undefined;
        const { records, lines, isPartial } = await report('audit', {
          ...subject(asked), ...kind && { kind }, ...since && { since },
        }, signal);
        const found = `${isPartial ? 'The latest ' : ''}${count(records.length)} events`;
        return [card(records.length ? found : isPartial ? 'No event found yet' : 'No event',
          isPartial && none('The search ended before it had seen all events. The command searches all of them.'),
          records.length > 0 && table('Events', ['Time', 'Event', 'Account', 'By', 'Reference', 'About'],
            records.map((event) => [
              time(event.at), make('span', {}, make('strong', {}, event.kind), event.detail ? ` ${event.detail}` : ''),
              event.account && link(event.account, () => open('users', event.account)), event.actor,
              event.reference && link(event.reference, () => open('why', event.reference)),
              make('code', {}, [...event.identifiers, event.network && `network ${event.network}`].filter(Boolean)
                .join(' ')),
            ])),
          asCommand(command(asked, kind, hours), lines))];
      }, { focuses: !!about });
    }
  },
};

/** A number begins with +, and a reference has dashes after each four letters and digits. */
function subject(asked) {
  if (!asked) return {};
  if (asked.startsWith('+')) return { phoneNumber: asked };
  return /^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/i.test(asked) ? { reference: asked } : { localId: asked };
}

function command(asked, kind, hours) {
  const options = { phoneNumber: '--phone', reference: '--reference', localId: '--account' };
  const about = Object.entries(subject(asked)).map(([name, value]) => ` ${options[name]} ${value}`).join('');
  return `dialtone audit --project ${currentProject()}${about}${kind ? ` --kind ${kind}` : ''}`
    + (Number(hours) ? ` --since ${hours}h` : '');
}
