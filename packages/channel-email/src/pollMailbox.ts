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
import { longestMail } from "./inboundParse.js"
import { type Mailbox, withMailbox } from "./Mailbox.js"
import { mailEvents, unknown } from "./mailEvents.js"

/** How far a mailbox was read. UIDs mean something only with its `uidValidity` (RFC 9051, 2.3.1.1). */
const Cursor = Schema.Struct({
  uidValidity: Schema.String,
  /** The last one taken. */
  uid: Schema.Number,
  /** When the newest one taken came to the server. */
  newest: Schema.Number
})
type Cursor = typeof Cursor.Type
const readCursor = Schema.decodeUnknownOption(Cursor)

/** How much one poll takes at most; there is another one at once where there is more. In bytes, a single mail may be more. */
const mostMails = 25
const mostBytes = longestMail

/** By how much the server's clock may be behind. */
const tolerance = 10 * minute

/**
 * The mails that came to a mailbox since the cursor, oldest first; at first, since the connection was made. Nothing is
 * changed in the mailbox. Where the server numbers its mails anew (`UIDVALIDITY`), the last days are read again: mails that
 * were taken are recognised by their ids.
 */
export const pollMailbox = (
  account: EmailAccount,
  cursor: unknown,
  now: Instant,
  options: EmailOptions
): Effect.Effect<Polled, ProviderUnavailable> => {
  const { imap } = account.config
  // Mail comes by webhook, or not at all.
  if (imap === undefined) return Effect.succeed({ events: [], cursor, againInMs: day })
  return withMailbox(account, imap, options, (mailbox) =>
    Effect.gen(function* () {
      const uidValidity = mailbox.about.uidValidity.toString()
      const before = Option.getOrUndefined(readCursor(cursor))
      const known = before?.uidValidity === uidValidity ? before : undefined
      const since = before?.newest ?? account.createdAt
      const uids = known === undefined ? yield* uidsSince(mailbox, since) : yield* uidsAfter(mailbox, known.uid)
      const batch = bounded(yield* describe(mailbox, uids.slice(0, mostMails), now))
      const taken = batch.filter(({ receivedAt }) => receivedAt >= account.createdAt - tolerance)
      const events = yield* Effect.forEach(taken, (mail) => eventsOf(account, mailbox, mail, now))
      // Where nothing is new to a mailbox seen for the first time, all that it has is old.
      const first = uids.length === 0 ? mailbox.about.uidNext - 1 : 0
      const uid = batch.at(-1)?.uid ?? known?.uid ?? first
      const next: Cursor = { uidValidity, uid, newest: Math.max(since, ...batch.map(({ receivedAt }) => receivedAt)) }
      const more = uids.some((other) => other > uid)
      return { events: events.flat(), cursor: next, againInMs: more ? 0 : (imap.every_ms ?? 30 * second) }
    })
  )
}

/** A mail as the server has it. */
interface WaitingMail {
  readonly uid: number
  readonly bytes: number
  /** By the server's clock. */
  readonly receivedAt: Instant
}

/** The server answers with the last mail where there is none after. */
const uidsAfter = (mailbox: Mailbox, uid: number): Effect.Effect<ReadonlyArray<number>, ProviderUnavailable> =>
  Effect.map(search(mailbox, { uid: `${uid + 1}:*` }), (uids) => uids.filter((other) => other > uid))

/** Servers compare by days, each in a time zone of its own. */
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

/** As many as fit, at least one. */
const bounded = (mails: ReadonlyArray<WaitingMail>): ReadonlyArray<WaitingMail> => {
  let bytes = 0
  const tooMany = mails.findIndex((mail, place) => {
    bytes += mail.bytes
    return place > 0 && bytes > mostBytes
  })
  return tooMany === -1 ? mails : mails.slice(0, tooMany)
}

/** Nothing, where the mail was deleted meanwhile. Of one that is too long, only its beginning is looked at. */
const eventsOf = (
  account: EmailAccount,
  mailbox: Mailbox,
  { bytes, uid }: WaitingMail,
  now: Instant
): Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable> => {
  const tooLong = bytes > longestMail
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
