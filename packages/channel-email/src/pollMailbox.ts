import { day, type InboundEvent, type Instant, minute, type Polled, ProviderUnavailable, second } from "@parley/core"
import { Clock, Duration, Effect, Either, Option, Schema } from "effect"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { maxMailBytes } from "./inboundParse.js"
import { type Mailbox, withMailbox } from "./Mailbox.js"
import type { ParseMail } from "./MailThreads.js"
import { unknown } from "./mailEvents.js"

/**
 * The position up to which a mailbox was read. UIDs are comparable only with the same `uidValidity` (RFC 9051,
 * 2.3.1.1).
 */
const Cursor = Schema.Struct({
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

/**
 * The maximum of one poll; the next poll follows at once if there are more mails. A single mail may exceed the limit of
 * bytes.
 */
const maxMails = 25
const maxBytes = maxMailBytes

/** Timeout of reading one mail, and time after which a poll begins no other, in ms: less than the engine's 5 min. */
const mailTimeout = 2 * minute
const batchTime = 2 * minute

/** Delay in ms before the second try of a mail that could not be read. */
const unreadableMs = 5 * second

/** The tolerated difference between the clocks, in ms. */
const tolerance = 10 * minute

/**
 * Reads the mails that a mailbox received after the cursor, oldest first; the first poll reads those received since the
 * connection was created. The mailbox is not changed. After the server renumbered its mails (`UIDVALIDITY`), the last
 * days are read again: duplicates are recognised by their ids.
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
      const before = Option.getOrUndefined(readCursor(cursor))
      const known = before?.uidValidity === uidValidity ? before : undefined
      const since = before?.newest ?? account.createdAt
      const uids = known === undefined ? yield* uidsSince(mailbox, since) : yield* uidsAfter(mailbox, known.uid)
      const batch = bounded(yield* describe(mailbox, uids.slice(0, maxMails), now))
      const isNew = ({ receivedAt }: WaitingMail) => receivedAt >= account.createdAt - tolerance
      const read = (mail: WaitingMail) =>
        isNew(mail) ? inTime(eventsOf(account, mailbox, mail, now, parseMail)) : Effect.succeed([])
      const { events, done, failed } = yield* readBatch(batch, known?.unreadable, read)
      // On the first poll of a mailbox without new mails, all its mails are old.
      const first = uids.length === 0 ? mailbox.about.uidNext - 1 : 0
      const uid = done.at(-1)?.uid ?? (failed === null ? (known?.uid ?? first) : failed.uid - 1)
      const newest = Math.max(since, ...done.map(({ receivedAt }) => receivedAt))
      const next: Cursor = { uidValidity, uid, newest, ...(failed === null ? {} : { unreadable: failed.uid }) }
      const more = uids.some((other) => other > uid)
      const againInMs = failed !== null ? unreadableMs : more ? 0 : (imap.every_ms ?? 30 * second)
      return { events, cursor: next, againInMs }
    })
  )
}

const inTime = <A>(reading: Effect.Effect<A, ProviderUnavailable>): Effect.Effect<A, ProviderUnavailable> =>
  Effect.timeoutFail(reading, {
    duration: Duration.millis(mailTimeout),
    onTimeout: () => new ProviderUnavailable({ reason: "does not send a mail in time" })
  })

/** What was read of a batch. */
interface ReadBatch {
  readonly events: ReadonlyArray<InboundEvent>
  /** The mails before the position of the next poll. */
  readonly done: ReadonlyArray<WaitingMail>
  /** The mail behind them, if it could not be read. */
  readonly failed: WaitingMail | null
}

/**
 * Reads mails in order, up to one that cannot be read: the next poll begins with it. A mail that cannot be read a
 * second time (`unreadable`) becomes an unknown event, if the last mail of the batch can be read: the server works.
 * Fails if nothing shows that the server works.
 */
const readBatch = (
  batch: ReadonlyArray<WaitingMail>,
  unreadable: number | undefined,
  read: (mail: WaitingMail) => Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable>
): Effect.Effect<ReadBatch, ProviderUnavailable> =>
  Effect.gen(function* () {
    const [first] = batch
    const last = batch.at(-1)
    const isSecondTry = first !== undefined && first.uid === unreadable && last !== undefined && last !== first
    if (isSecondTry) yield* read(last)
    const end = (yield* Clock.currentTimeMillis) + batchTime
    const events: Array<InboundEvent> = []
    for (const [place, mail] of batch.entries()) {
      const result = yield* Effect.either(read(mail))
      if (Either.isLeft(result)) {
        if (place > 0) return { events, done: batch.slice(0, place), failed: mail }
        if (isSecondTry) return { events: [notReadable], done: [mail], failed: null }
        // Without a mail behind it, nothing is held up.
        return batch.length === 1 ? yield* result.left : { events, done: [], failed: mail }
      }
      events.push(...result.right)
      if ((yield* Clock.currentTimeMillis) >= end) return { events, done: batch.slice(0, place + 1), failed: null }
    }
    return { events, done: batch, failed: null }
  })

const notReadable = unknown("not readable", Buffer.from("The mail server does not send this mail."))

/** A mail on the server. */
interface WaitingMail {
  readonly uid: number
  readonly bytes: number
  /** By the server's clock. */
  readonly receivedAt: Instant
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
 * The mails with these UIDs. Meanwhile a server also sends changed flags of any mail (RFC 9051, 7.5.2), in replies
 * without a size. Fails if the server has none of them, because the next search would find them again at once.
 */
const describe = (mailbox: Mailbox, uids: ReadonlyArray<number>, now: Instant) =>
  uids.length === 0
    ? Effect.succeed([])
    : Effect.flatMap(
        mailbox.ask((client) =>
          client.fetchAll(uids.join(","), { uid: true, size: true, internalDate: true }, { uid: true })
        ),
        (found) => {
          const waiting = found
            .flatMap(({ internalDate, size, uid }): ReadonlyArray<WaitingMail> => {
              if (size === undefined || !uids.includes(uid)) return []
              const receivedAt = new Date(internalDate ?? now).getTime()
              return [{ uid, bytes: size, receivedAt: Number.isNaN(receivedAt) ? now : receivedAt }]
            })
            .sort((one, other) => one.uid - other.uid)
          return waiting.length > 0
            ? Effect.succeed(waiting)
            : new ProviderUnavailable({ reason: "has none of the mails that it found" })
        }
      )

/** As many as fit into the limits, at least one. */
const bounded = (mails: ReadonlyArray<WaitingMail>): ReadonlyArray<WaitingMail> => {
  let bytes = 0
  const tooMany = mails.findIndex((mail, place) => {
    bytes += mail.bytes
    return place > 0 && bytes > maxBytes
  })
  return tooMany === -1 ? mails : mails.slice(0, tooMany)
}

/**
 * Fails if the server sends other mails only, also if this one was deleted meanwhile: then the next search leaves it
 * out. Of a mail that is too long, only the beginning is read.
 */
const eventsOf = (
  account: EmailAccount,
  mailbox: Mailbox,
  { bytes, uid }: WaitingMail,
  now: Instant,
  parseMail: ParseMail
): Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable> => {
  const tooLong = bytes > maxMailBytes
  const source = tooLong ? { start: 0, maxLength: 64 * 1024 } : true
  return Effect.flatMap(
    mailbox.ask((client) => client.fetchAll(`${uid}`, { uid: true, source }, { uid: true })),
    (found) => {
      const raw = found.find((reply) => reply.uid === uid && reply.source)?.source
      if (raw === undefined) return new ProviderUnavailable({ reason: "does not send a mail" })
      if (tooLong) return Effect.succeed([unknown("too long", raw)])
      return parseMail(account.id, { business: account, raw, now })
    }
  )
}
