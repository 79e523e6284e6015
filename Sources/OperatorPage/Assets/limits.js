// Rate limits of a number, a network or the project's sign-ups, and the test numbers.
import { answers, ask } from './ask.js';
import { asCommand, badge, card, count, make, meter, none, table, time } from './dom.js';
import { change, currentProject, report } from './server.js';

const SUBJECTS = { phoneNumber: 'Phone number', network: 'Network (IP address)', signUps: 'Sign-ups of the project' };

export const limits = {
  label: 'Limits',
  title: 'Limits and test numbers',
  intro: 'How much of each rate limit is used, and when there is room again. Test numbers have a fixed code and get '
    + 'no message.',
  show(place, { about, confirmed }) {
    ask(place, [
      { name: 'text', label: 'Number or IP address', value: about, hint: '+16505550101 or 192.0.2.1' },
      { name: 'subject', label: 'Of', value: 'phoneNumber', options: SUBJECTS },
    ], 'Show', ({ text, subject }) => look(subject, text));
    const load = answers(place);
    const numbers = make('div');
    place.append(numbers);
    if (about) look('phoneNumber', about);
    answers(numbers)(testNumbers, { focuses: false });

    function look(subject, text) {
      load(async (signal) => {
        const { records, lines } = await report('limits', { [subject]: subject === 'signUps' ? true : text }, signal);
        const words = { phoneNumber: text, network: `--network ${text}`, signUps: '--sign-ups' }[subject];
        return [card(lines[0] ?? 'Rate limits',
          records.length ? table('Rate limits', ['Limit', 'Window', 'Used', 'One fewer at'], records.map(row))
            : none('No limit is set.'),
          subject === 'phoneNumber' ? make('div', { class: 'actions' },
            make('button', { type: 'button', class: 'change danger', click: () => reset(text) }, 'Reset')) : '',
          asCommand(`dialtone limits show --project ${currentProject()} ${words}`, lines))];
      });
    }

    async function reset(number) {
      const question = `Reset the messages and wrong codes of ${number}? Shared limits stay.`;
      if (!await confirmed(question, 'Reset')) return;
      const isReset = await load(async () => (await change('limits:reset', { phoneNumber: number }), []));
      if (isReset) look('phoneNumber', number);
    }
  },
};

function row(record) {
  if (record.type === 'wrong-codes') {
    return [
      record.name, '', meter(record.used, record.maximum),
      [record.zeroAt && ['zero at ', time(record.zeroAt)],
        record.clientsWaitUntil.map((until) => make('div', {}, 'a client must wait until ', time(until)))],
    ];
  }
  const reserved = record.reserved > 0
    && make('div', { class: 'quiet' }, `${count(record.reserved)} for known clients`);
  return [
    record.name, `${record.hours} h`, [meter(record.used, record.maximum), reserved],
    record.oneFewerAt && time(record.oneFewerAt),
  ];
}

async function testNumbers() {
  const { records, lines } = await report('testNumbers', {});
  return [card('Test numbers',
    records.length ? table('Test numbers', ['Number', 'Code', 'Note'], records.map(({ number, code, isOfUser }) => [
      number, make('code', {}, code), isOfUser ? badge('no effect: a user has this number', 'warn') : '',
    ])) : none('The project has no test number.'),
    asCommand(`dialtone test-numbers list --project ${currentProject()}`, lines))];
}
