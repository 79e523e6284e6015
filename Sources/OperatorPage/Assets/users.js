// A user: sessions, second factors, and what an operator may change.
import { answers, ask } from './ask.js';
import { announce, badge, card, facts, link, make, masked, maskedEmail, none, table, time } from './dom.js';
import { accounts, currentProject, now } from './server.js';

export const users = {
  label: 'Users',
  title: 'Users',
  intro: 'An account with its sessions and second factors. Who may change it can disable it, and end its sessions.',
  show(place, { about, open, confirmed }) {
    ask(place, [{
      name: 'asked', label: 'Phone number, e-mail address or uid', value: about, hint: '+16505550101', isRequired: true,
    }], 'Find', ({ asked }) => find(asked));
    const load = answers(place);
    if (about) find(about);

    function find(asked) {
      load(async (signal) => {
        const identifiers = { localId: [asked], phoneNumber: [asked], email: [asked] };
        const { users: found = [] } = await accounts('lookup', identifiers, signal);
        if (!found.length) {
          const advice = /^[\d\s().-]+$/.test(asked) ? ' A phone number begins with + and the country’s code.' : '';
          return [card('No account', none(`No account has this number, address or uid.${advice}`))];
        }
        return (await Promise.all(found.map((user) => details(user, asked, signal)))).flat();
      });
    }

    /** Changes the account after a confirmation, and shows it anew. */
    function button(text, question, asked, operation, body) {
      const click = async () => {
        if (!await confirmed(question, text)) return;
        const isDone = await load(async () => {
          await accounts(operation, body);
          announce('Done.');
          return [];
        });
        if (isDone) find(asked);
      };
      return make('button', { type: 'button', class: 'change danger', click }, text);
    }

    async function details(user, asked, signal) {
      const uid = user.localId;
      const { sessions = [] } = await accounts('listSessions', { localId: uid }, signal);
      return [
        card('Account',
          facts({
            Uid: make('code', {}, uid), Number: masked(user.phoneNumber, asked),
            'E-mail': user.email && [maskedEmail(user.email, asked), user.emailVerified ? ' (verified)' : ''],
            Name: user.displayName, Status: user.disabled ? badge('disabled', 'bad') : badge('enabled', 'good'),
            Created: time(Number(user.createdAt)),
            'Last sign-in': user.lastLoginAt ? time(Number(user.lastLoginAt)) : 'never',
            Password: user.passwordUpdatedAt && ['set ', time(user.passwordUpdatedAt)],
            'Tokens valid since': time(Number(user.validSince) * 1000),
          }),
          user.customAttributes && facts({ Claims: make('code', {}, user.customAttributes) }, 'claims'),
          make('div', { class: 'actions links' },
            user.phoneNumber ? link('Why no message?', () => open('why', user.phoneNumber)) : '',
            user.phoneNumber ? link('Rate limits of the number', () => open('limits', user.phoneNumber)) : '',
            link('Audit log of the account', () => open('audit', uid))),
          make('div', { class: 'actions' },
            user.disabled
              ? button('Enable', `Enable ${uid}?`, asked, 'update', { localId: uid, disableUser: false })
              : button('Disable', `Disable ${uid}? Its user can no longer sign in.`, asked, 'update',
                { localId: uid, disableUser: true }),
            button('End all sessions', `Sign the user of ${uid} out everywhere?`, asked, 'update',
              { localId: uid, validSince: String(Math.floor(now() / 1000)) })),
          commands(uid)),
        card('Sessions', sessions.length ? table('Sessions',
          ['Signed in', 'By', 'Client', 'Network', 'Last used', ''],
          sessions.map((session) => [
            time(Date.parse(session.signedInAt)),
            [session.providerId, session.secondFactor && ` and ${session.secondFactor}`].filter(Boolean),
            session.clientVersion, session.network && make('code', {}, session.network),
            time(Date.parse(session.lastUsedAt)),
            button('End', `End this session of ${uid}?`, asked, 'endSession',
              { localId: uid, sessionId: session.sessionId }),
          ])) : none('No open session.')),
        user.mfaInfo && card('Second factors', table('Second factors', ['Kind', 'Name', 'Number', 'Enrolled'],
          user.mfaInfo.map((factor) => [
            factor.phoneInfo ? 'phone' : 'totp', factor.displayName, masked(factor.phoneInfo),
            time(Date.parse(factor.enrolledAt)),
          ]))),
      ];
    }
  },
};

function commands(uid) {
  const words = ['show', 'mfa list', 'disable', 'revoke', 'end-session'];
  return make('details', { class: 'asCommand' }, make('summary', {}, 'As commands'),
    make('pre', { tabindex: 0 }, words.map((word) => `dialtone users ${word} --project ${currentProject()} ${uid}`)
      .join('\n')));
}
