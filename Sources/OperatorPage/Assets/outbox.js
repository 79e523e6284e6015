// What waits in the outbox, what no gateway accepted, and what each gateway did.
import { answers } from './ask.js';
import { age, asCommand, card, facts, make, meter, none, table } from './dom.js';
import { change, report } from './server.js';

const EVENTS = ['delivered', 'undelivered', 'unconfirmed', 'passed-on', 'dead'];

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
      load(async () => {
        const { records, lines } = await report('outbox', {});
        const messages = records.filter(({ type }) => type === 'message');
        const waiting = messages.filter(({ state }) => state === 'waiting');
        const dead = messages.filter(({ state }) => state === 'undeliverable');
        const counts = records.filter(({ type }) => type === 'count');
        const all = records.find(({ type }) => type === 'dispatchers');
        return [
          facts({
            Waiting: String(all.waiting), Undeliverable: String(all.undeliverable),
            'Dispatchers running': String(all.running),
          }, 'tiles'),
          card('Waiting', rows('Waiting messages', waiting, all.waiting, 'Nothing waits.')),
          card('Undeliverable',
            rows('Undeliverable messages', dead, all.undeliverable, 'Nothing is undeliverable.', retry)),
          card('Gateways, last 7 days', gateways(counts)),
          asCommand('dialtone outbox', lines),
        ];
      }, { focuses: false });
    }

    function retry({ id }) {
      const click = async () => {
        if (!await confirmed('Send it again, through all gateways of its route?', 'Send again')) return;
        await load(async () => (await change('outbox:retry', { id }), []), { focuses: false });
        look();
      };
      return make('button', { type: 'button', class: 'change', click }, 'Send again');
    }
  },
};

function rows(caption, messages, count, nothing, action) {
  if (!messages.length) return none(nothing);
  const columns = ['Recipient', 'Queued', 'Reason', 'Tried', ...action ? [''] : []];
  return [
    table(caption, columns, messages.map((message) => [
      message.number ?? message.email ?? 'cannot be decrypted', age(message.queuedAt), message.reason,
      message.tried.join(', '), ...action ? [action(message)] : [],
    ])),
    count > messages.length ? none(`and ${count - messages.length} more`) : '',
  ];
}

function gateways(counts) {
  if (!counts.length) return none('No message was sent.');
  const names = [...new Set(counts.map(({ kind, gateway }) => `${kind} ${gateway ?? ''}`))].sort();
  return table('Gateways', ['Gateway', '#Accepted', ...EVENTS.map((event) => `#${event}`), 'Delivered share'],
    names.map((name) => {
      const [kind, gateway] = name.split(' ');
      const count = (event) => counts.find((record) =>
        record.kind === kind && (record.gateway ?? '') === gateway && record.event === event)?.count ?? 0;
      const reported = count('delivered') + count('undelivered');
      return [
        `${gateway || 'none'}${kind === 'mails' ? ' (e-mails)' : ''}`, String(count('accepted')),
        ...EVENTS.map((event) => String(count(event))),
        reported ? meter(count('delivered'), reported, `${Math.round(100 * count('delivered') / reported)} %`) : '',
      ];
    }));
}
