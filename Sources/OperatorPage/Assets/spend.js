// Messages, verified codes and cost, by region over time.
import { answers, ask } from './ask.js';
import { asCommand, badge, card, count, draw, facts, make, meter, none, table } from './dom.js';
import { currentProject, now, report } from './server.js';

const PERIODS = { 7: '7 days', 14: '14 days', 35: '35 days' };

export const spend = {
  label: 'Spend',
  title: 'Spend and verified share',
  intro: 'A low verified share of a region with many messages is a sign of SMS pumping (toll fraud).',
  show(place) {
    ask(place, [{ name: 'days', label: 'Period', value: '14', options: PERIODS }], 'Show', ({ days }) => look(days));
    const load = answers(place);
    look('14', false);

    function look(days, focuses) {
      load(async (signal) => {
        const { records, lines } = await report('messages', { days: Number(days) }, signal);
        const daily = records.filter(({ type, day }) => type === 'total' && day);
        const totals = records.filter(({ type, day }) => type === 'total' && !day);
        const names = lastDays(Number(days));
        const all = sum(totals);
        return [
          facts({
            Sent: count(all.sent), Verified: count(all.verified), 'Verified share': share(all),
            Spent: count(all.spent, 2),
          }, 'tiles'),
          card('Each day', daily.length ? [
            make('div', { class: 'charts' }, messages(names, daily), cost(names, daily)),
            each(names, daily),
          ] : none('No message was sent in this period.')),
          totals.length > 0 && card('By region', byRegion(totals, daily, names)),
          today(records),
          asCommand(`dialtone sms report --daily --days ${days} --project ${currentProject()}`, lines),
        ];
      }, { focuses });
    }
  },
};

const percent = ({ sent, verified }) => (sent ? Math.round(100 * verified / sent) : 0);
const share = (total) => (total.sent ? `${percent(total)} %` : '');

function lastDays(count) {
  return Array.from({ length: count }, (_, index) =>
    new Date(now() - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10));
}

function sum(records) {
  const total = { sent: 0, verified: 0, spent: 0 };
  for (const { sent, verified, spent } of records) {
    total.sent += sent;
    total.verified += verified;
    total.spent += Number(spent);
  }
  return total;
}

const ofDays = (names, records) => names.map((name) => sum(records.filter(({ day }) => day === name)));

/** Bars of the days, each with parts of a height from 0 to 1 and a class. */
function bars(kind, label, names, parts) {
  const width = 10 * names.length;
  const view = { viewBox: `0 0 ${width} 100`, preserveAspectRatio: 'none' };
  return draw('svg', { class: kind, ...view, role: 'img', 'aria-label': label },
    parts.flatMap((heights, index) => Object.entries(heights).map(([name, height]) =>
      draw('rect', { class: name, x: 10 * index + 1, width: 8, y: 99 - 97 * height, height: 97 * height }))),
    draw('path', { class: 'base', d: `M0 99.5h${width}`, 'vector-effect': 'non-scaling-stroke' }));
}

/** Bars with the first and the last day, and what the bars are: pairs of a class and a text. */
function chart(label, names, parts, legend) {
  return make('figure', {}, bars('chart', label, names, parts), axis(names),
    make('figcaption', { class: 'legend' }, legend.map(([kind, text]) =>
      make('span', { class: kind }, make('i'), text))));
}

function messages(names, records) {
  const days = ofDays(names, records);
  const most = Math.max(...days.map(({ sent }) => sent), 1);
  return chart(`Messages a day, ${count(most)} at most; ${share(sum(records))} verified`, names,
    days.map(({ sent, verified }) => ({ sent: sent / most, fill: Math.min(verified, sent) / most })),
    [['sent', `messages sent, at most ${count(most)} a day`], ['', 'verified']]);
}

function cost(names, records) {
  const days = ofDays(names, records);
  const most = Math.max(...days.map(({ spent }) => spent), 0);
  return chart(`Cost a day, ${count(most, 2)} at most`, names,
    days.map(({ spent }) => ({ cost: most ? spent / most : 0 })), [['', `cost, at most ${count(most, 2)} a day`]]);
}

const axis = (names) => make('div', { class: 'axis' }, make('span', {}, names[0]), make('span', {}, names.at(-1)));

function each(names, records) {
  const days = ofDays(names, records);
  return make('details', { class: 'asCommand' }, make('summary', {}, 'As a table'),
    table('Each day', ['Day', '#Sent', '#Verified', '#Share', '#Spent'], names.map((name, index) => [
      name, count(days[index].sent), count(days[index].verified), share(days[index]), count(days[index].spent, 2),
    ]).reverse()));
}

function byRegion(totals, daily, names) {
  const title = ({ region, unknownRange }) => (unknownRange ? `${region}, unknown range` : region);
  return table('Messages by region and gateway',
    ['Region', 'Gateway', 'Each day', '#Sent', '#Verified', 'Verified share', '#Spent'],
    totals.map((total) => {
      const own = daily.filter((record) => title(record) === title(total) && record.gateway === total.gateway);
      const days = ofDays(names, own);
      const most = Math.max(...days.map(({ sent }) => sent), 1);
      const label = `${title(total)} through ${total.gateway ?? 'no gateway'}: ${most} messages a day at most`;
      return [
        title(total), total.gateway,
        bars('spark', label, names, days.map(({ sent, verified }) =>
          ({ sent: sent / most, fill: Math.min(verified, sent) / most }))),
        count(total.sent), count(total.verified), meter(total.verified, total.sent, share(total)),
        count(total.spent, 2),
      ];
    }));
}

const ofCap = ({ spentToday, cap }) => (cap ? spentToday / cap : 0);

function today(records) {
  const spending = records.filter(({ type }) => type === 'spending');
  const debts = records.filter(({ type }) => type === 'debt');
  return [
    spending.length > 0 && card('Spent today', table('Spending of today', ['Region', '#Spent', 'Of the cap'],
      spending.sort((left, right) => ofCap(right) - ofCap(left)).map(({ region, spentToday, cap }) => [
        region, count(spentToday, 2), cap ? meter(spentToday, cap, `of ${count(cap, 2)}`) : 'no cap',
      ]))),
    debts.length > 0 && card('Many unverified messages', table('Unverified messages',
      ['Range', 'Unverified', 'New clients'],
      debts.map(({ range, unverified, allowed }) => [
        range, meter(unverified, allowed),
        unverified > allowed ? badge('over the allowance', 'bad') : badge('near', 'warn'),
      ]))),
  ];
}
