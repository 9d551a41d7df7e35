import {
  day,
  type InboundEvent,
  type Instant,
  minute,
  type Polled,
  type ProviderUnavailable,
  second
} from "@parley/core"
import { Effect, Option, Schema } from "effect"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { maxMailBytes } from "./inboundParse.js"
import { type Mailbox, withMailbox } from "./Mailbox.js"
import { mailEvents, unknown } from "./mailEvents.js"

/**
 * The position up to which a mailbox was read. UIDs are comparable only with the same `uidValidity` (RFC 9051,
 * 2.3.1.1).
 */
const Cursor = Schema.Struct({
  uidValidity: Schema.String,
  /** The UID of the last mail taken. */
  uid: Schema.Number,
  /** When the server received the newest mail taken. */
  newest: Schema.Number
})
type Cursor = typeof Cursor.Type
const readCursor = Schema.decodeUnknownOption(Cursor)

/**
 * The maximum of one poll; the next poll follows at once if there are more mails. A single mail may exceed the limit of
 * bytes.
 */
const maxMails = 25
const maxBytes = maxMailBytes

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
  options: EmailOptions
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
      const taken = batch.filter(({ receivedAt }) => receivedAt >= account.createdAt - tolerance)
      const events = yield* Effect.forEach(taken, (mail) => eventsOf(account, mailbox, mail, now))
      // On the first poll of a mailbox without new mails, all its mails are old.
      const first = uids.length === 0 ? mailbox.about.uidNext - 1 : 0
      const uid = batch.at(-1)?.uid ?? known?.uid ?? first
      const next: Cursor = { uidValidity, uid, newest: Math.max(since, ...batch.map(({ receivedAt }) => receivedAt)) }
      const more = uids.some((other) => other > uid)
      return { events: events.flat(), cursor: next, againInMs: more ? 0 : (imap.every_ms ?? 30 * second) }
    })
  )
}

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

const search = (mailbox: Mailbox, query: { readonly uid: string } | { readonly since: Date }) =>
  Effect.map(
    mailbox.ask((client) => client.search(query, { uid: true })),
    (uids) => [...(uids || [])].sort((one, other) => one - other)
  )

const describe = (mailbox: Mailbox, uids: ReadonlyArray<number>, now: Instant) =>
  uids.length === 0
    ? Effect.succeed([])
    : Effect.map(
        mailbox.ask((client) =>
          client.fetchAll(uids.join(","), { uid: true, size: true, internalDate: true }, { uid: true })
        ),
        (found) =>
          found
            .map(({ internalDate, size = 0, uid }): WaitingMail => {
              const receivedAt = new Date(internalDate ?? now).getTime()
              return { uid, bytes: size, receivedAt: Number.isNaN(receivedAt) ? now : receivedAt }
            })
            .sort((one, other) => one.uid - other.uid)
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

/** No events if the mail was deleted meanwhile. Of a mail that is too long, only the beginning is read. */
const eventsOf = (
  account: EmailAccount,
  mailbox: Mailbox,
  { bytes, uid }: WaitingMail,
  now: Instant
): Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable> => {
  const tooLong = bytes > maxMailBytes
  const source = tooLong ? { start: 0, maxLength: 64 * 1024 } : true
  return Effect.flatMap(
    mailbox.ask((client) => client.fetchOne(`${uid}`, { source }, { uid: true })),
    (found) => {
      const raw = found ? found.source : undefined
      if (raw === undefined) return Effect.succeed([])
      return tooLong ? Effect.succeed([unknown("too long", raw)]) : mailEvents(account, raw, now)
    }
  )
}
