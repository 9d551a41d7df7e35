import { day, type Instant, minute, type Polled, ProviderUnavailable, second } from "@parley/core"
import { Clock, Effect, Option, Schema } from "effect"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { type Mailbox, mailboxKey, withMailbox } from "./Mailbox.js"
import type { ParseMail } from "./MailThreads.js"
import {
  bounded,
  fetchAndParse,
  inTime,
  isOld,
  listMails,
  maxMails,
  notReadable,
  readBatch,
  sendsOneOf,
  type WaitingMail
} from "./readMails.js"

/**
 * The position up to which a mailbox was read. UIDs are comparable only in the same mailbox, with the same
 * `uidValidity` (RFC 9051, 2.3.1.1), which two mailboxes may have in common.
 */
const Cursor = Schema.Struct({
  /** The {@link mailboxKey}. Absent in cursors of earlier versions, which are those of the present mailbox. */
  mailbox: Schema.optional(Schema.String),
  uidValidity: Schema.String,
  /** The UID of the last mail taken. */
  uid: Schema.Number,
  /** When the server received the newest mail taken. */
  newest: Schema.Number,
  /** The UID of the next mail, if it could not be read. */
  unreadable: Schema.optional(Schema.Number)
})
type Cursor = typeof Cursor.Type
const readCursor = Schema.decodeUnknownOption(Cursor)

/** In ms: together with the connections less than the engine's 5 min. */
const times = {
  list: 15 * second,
  mail: 2 * minute,
  batch: 2 * minute,
  another: minute,
  lastTry: 10 * second
}

/** The number of mails that are listed at once behind old ones. */
const maxListed = 500

/** How often a mail is tried after it failed twice and another one was sent: connections also end by chance. */
const lastTries = 2

/** Delay in ms before the second try of a mail that could not be read. */
const unreadableMs = 5 * second

/**
 * Reads the mails that a mailbox received after the cursor, oldest first; the first poll reads those received since the
 * connection was created. The mailbox is not changed. After the server renumbered its mails (`UIDVALIDITY`), and of
 * another mailbox, the last days are read again: duplicates are recognised by their ids.
 */
export const pollMailbox = (
  account: EmailAccount,
  cursor: unknown,
  now: Instant,
  options: EmailOptions,
  parseMail: ParseMail
): Effect.Effect<Polled, ProviderUnavailable> => {
  const { imap } = account.config
  // Mail arrives by webhook, or is not received at all.
  if (imap === undefined) return Effect.succeed({ events: [], cursor, againInMs: day })
  return withMailbox(account, imap, options, (mailbox) =>
    Effect.gen(function* () {
      const uidValidity = mailbox.about.uidValidity.toString()
      // Before the search: imapflow raises it with mails that arrive meanwhile.
      const { uidNext } = mailbox.about
      const key = mailboxKey(account, imap)
      const before = Option.getOrUndefined(readCursor(cursor))
      const isSame = before?.uidValidity === uidValidity && (before.mailbox ?? key) === key
      const known = isSame ? before : undefined
      const since = before?.newest ?? account.createdAt
      const uids = known === undefined ? yield* uidsSince(mailbox, since) : yield* uidsAfter(mailbox, known.uid)
      const mails = yield* nextMails(account, mailbox, uids, now)
      const readFrom = (mailbox: Mailbox, mail: WaitingMail) =>
        isOld(account, mail)
          ? Effect.succeed([])
          : fetchAndParse(mailbox, mail, (raw, isCut) =>
              parseMail(account.id, { business: account, raw, now, isCut, receivedAt: mail.receivedAt })
            )
      const anew = <A>(use: (mailbox: Mailbox) => Effect.Effect<A, ProviderUnavailable>) =>
        withMailbox(account, imap, options, use)
      const giveUp = (mail: WaitingMail) => {
        const lastTry = inTime(
          anew((other) => readFrom(other, mail)),
          times.lastTry
        )
        return Effect.zipRight(
          inTime(sendsOneOf(mails.slice(1), anew), times.another),
          Effect.orElseSucceed(Effect.retry(lastTry, { times: lastTries - 1 }), () => [notReadable])
        )
      }
      const { events, done, failed } = yield* readBatch(
        bounded(mails),
        known?.unreadable,
        (mail) => readFrom(mailbox, mail),
        giveUp,
        times
      )
      // On the first poll of a mailbox without new mails, all its mails are old.
      const first = uids.length === 0 ? uidNext - 1 : 0
      const uid = done.at(-1)?.uid ?? (failed === null ? (known?.uid ?? first) : failed.uid - 1)
      // A time in the future would leave out mails when the server renumbers them.
      const newest = Math.min(now, Math.max(since, ...done.map(({ receivedAt }) => receivedAt)))
      const unreadable = failed === null ? {} : { unreadable: failed.uid }
      const next: Cursor = { mailbox: key, uidValidity, uid, newest, ...unreadable }
      const more = uids.some((other) => other > uid)
      const againInMs = failed !== null ? unreadableMs : more ? 0 : (imap.every_ms ?? 30 * second)
      return { events, cursor: next, againInMs }
    })
  )
}

/** If there is no later mail, the server answers with the last one. */
const uidsAfter = (mailbox: Mailbox, uid: number): Effect.Effect<ReadonlyArray<number>, ProviderUnavailable> =>
  Effect.map(search(mailbox, { uid: `${uid + 1}:*` }), (uids) => uids.filter((other) => other > uid))

/** Servers compare dates without times, each in its own time zone. */
const uidsSince = (mailbox: Mailbox, since: Instant): Effect.Effect<ReadonlyArray<number>, ProviderUnavailable> =>
  search(mailbox, { since: new Date(since - 2 * day) })

/** imapflow answers `false` for any error, also of the network. An empty mailbox is an empty array. */
const search = (mailbox: Mailbox, query: { readonly uid: string } | { readonly since: Date }) =>
  Effect.flatMap(
    mailbox.ask((client) => client.search(query, { uid: true })),
    (uids) =>
      Array.isArray(uids)
        ? Effect.succeed([...uids].sort((one, other) => one - other))
        : new ProviderUnavailable({ reason: "does not search the mailbox" })
  )

/**
 * The first mails with these UIDs without the old ones before them; or the last of the old ones. Searches also find
 * mails of two days before the connection was created: all in one poll, so that new mail does not wait behind them.
 */
const nextMails = (account: EmailAccount, mailbox: Mailbox, uids: ReadonlyArray<number>, now: Instant) =>
  Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + times.list
    const areOld = (mails: ReadonlyArray<WaitingMail>) =>
      mails.length > 0 && mails.every((mail) => isOld(account, mail))
    let requested = uids.slice(0, maxMails)
    let listed = requested.length
    let mails = yield* describe(mailbox, requested, now)
    // Beyond a mail that the server left out, nothing is passed: it may be new.
    while (areOld(mails) && mails.length === requested.length && listed < uids.length) {
      if ((yield* Clock.currentTimeMillis) >= end) break
      requested = uids.slice(listed, listed + maxListed)
      listed += requested.length
      mails = yield* describe(mailbox, requested, now)
    }
    const firstNew = mails.findIndex((mail) => !isOld(account, mail))
    return firstNew === -1 ? mails.slice(-1) : mails.slice(firstNew, firstNew + maxMails)
  })

/** The mails with these UIDs. Fails if the server has none of them: the next search would find them again at once. */
const describe = (mailbox: Mailbox, uids: ReadonlyArray<number>, now: Instant) =>
  uids.length === 0
    ? Effect.succeed([])
    : Effect.filterOrFail(
        Effect.map(listMails(mailbox, uids.join(","), now), (mails) => mails.filter(({ uid }) => uids.includes(uid))),
        (mails) => mails.length > 0,
        () => new ProviderUnavailable({ reason: "has none of the mails that it found" })
      )
