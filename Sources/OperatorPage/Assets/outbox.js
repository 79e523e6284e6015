// What waits in the outbox, what no gateway accepted, and what each gateway did.
import { answers } from './ask.js';
import { age, asCommand, badge, card, count, facts, make, meter, none, table } from './dom.js';
import { change, report } from './server.js';

const EVENTS = {
  accepted: '#Accepted', delivered: '#Delivered', undelivered: '#Undelivered', unconfirmed: '#Unconfirmed',
  'passed-on': '#Passed on', dead: '#Undeliverable',
};

export const outbox = {
  label: 'Outbox',
  title: 'Outbox and gateways',
  intro: 'Messages and e-mails that wait, and why; those that no gateway accepted; and what each gateway did in the '
    + 'last seven days.',
  show(place, { confirmed }) {
    const refresh = make('button', { type: 'button', click: () => look() }, 'Refresh');
    place.append(make('div', { class: 'actions' }, refresh));
    const results = make('div');
    place.append(results);
    const load = answers(results);
    look();

    function look() {
      return load(async (signal) => {
        const { records, lines } = await report('outbox', {}, signal);
        const messages = records.filter(({ type }) => type === 'message');
        const waiting = messages.filter(({ state }) => state === 'waiting');
        const dead = messages.filter(({ state }) => state === 'undeliverable').reverse();
        const counts = records.filter(({ type }) => type === 'count');
        const all = records.find(({ type }) => type === 'dispatchers');
        return [
          facts({
            Waiting: count(all.waiting), Undeliverable: count(all.undeliverable),
            'Dispatchers running': all.running ? count(all.running) : badge('none', 'bad'),
          }, 'tiles'),
          card('Gateways, last 7 days', gateways(counts)),
          card('Undeliverable',
            rows('Undeliverable messages', dead, all.undeliverable, 'Nothing is undeliverable.', retry)),
          card('Waiting', rows('Waiting messages', waiting, all.waiting, 'Nothing waits.')),
          asCommand('dialtone outbox', lines),
        ];
      }, { focuses: false });
    }

    function retry({ id, number, email }) {
      const click = async () => {
        const recipient = number ?? email ?? 'a recipient that cannot be decrypted';
        const question = `Send the message to ${recipient} again, through all gateways of its route?`;
        if (!await confirmed(question, 'Send again')) return;
        if (await load(async () => (await change('outbox:retry', { id }), []), { focuses: false })) await look();
        refresh.focus();
      };
      return make('button', { type: 'button', class: 'change', click }, 'Send again');
    }
  },
};

function rows(caption, messages, all, nothing, action) {
  if (!messages.length) return none(nothing);
  const columns = ['Recipient', 'Queued', 'Reason', 'Tried', ...action ? [''] : []];
  return [
    table(caption, columns, messages.map((message) => [
      message.number ?? message.email ?? 'cannot be decrypted', make('time', {}, age(message.queuedAt)), message.reason,
      message.tried.join(', '), ...action ? [action(message)] : [],
    ])),
    all > messages.length && none(`and ${count(all - messages.length)} more`),
  ];
}

function gateways(counts) {
  if (!counts.length) return none('No message was sent.');
  const names = [...new Set(counts.map(({ kind, gateway }) => `${kind} ${gateway ?? ''}`))].sort();
  return table('Gateways', ['Gateway', ...Object.values(EVENTS), 'Delivered share'],
    names.map((name) => {
      const [kind, gateway] = name.split(' ');
      const of = (event) => counts.find((record) =>
        record.kind === kind && (record.gateway ?? '') === gateway && record.event === event)?.count ?? 0;
      const reported = of('delivered') + of('undelivered');
      return [
        `${gateway || 'no gateway'}${kind === 'mails' ? ' (e-mails)' : ''}`,
        ...Object.keys(EVENTS).map((event) => count(of(event))),
        reported ? meter(of('delivered'), reported, `${Math.round(100 * of('delivered') / reported)} %`) : '',
      ];
    }));
}
