import { HistoryAnswer, type InboundEvent, type Instant, type ProviderUnavailable, second } from "@parley/core"
import { Clock, Effect, Option, Schema } from "effect"
import type { MailboxObject } from "imapflow"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { type Mailbox, mailboxName, openReadOnly, withMailbox } from "./Mailbox.js"
import type { PastMail } from "./MailJob.js"
import type { ParseMail } from "./MailThreads.js"
import {
  bounded,
  fetchAndParse,
  inTime,
  isOld,
  listMails,
  maxMails,
  readBatch,
  sendsOneOf,
  type WaitingMail
} from "./readMails.js"

/**
 * The position in the import. The folder of sent mail comes first, so that the answers of customers find the mails that
 * they quote. UIDs are comparable only with the same `uidValidity` (RFC 9051, 2.3.1.1).
 */
const Cursor = Schema.parseJson(
  Schema.Struct({
    folder: Schema.Literal("sent", "mailbox"),
    uidValidity: Schema.String,
    /** The UID up to which the folder was read. */
    uid: Schema.Number,
    /** The UID of the next mail, if it could not be read. */
    unreadable: Schema.optional(Schema.Number)
  })
)
type Cursor = typeof Cursor.Type
const readCursor = Schema.decodeOption(Cursor)
const writeCursor = Schema.encodeSync(Cursor)

const startOf = (folder: Cursor["folder"]): Cursor => ({ folder, uidValidity: "", uid: 0 })

/** The number of UIDs that are listed at once. Most mails with them may have been deleted. */
const maxUids = 500

/** In ms. Together, with the login, less than the engine's 50 s, also if another mail is tried after the first. */
const times = { list: 5 * second, mail: 15 * second, batch: 10 * second }

type History = InboundEvent & { readonly _tag: "History" }

/**
 * Reads mails from before the connection was created, oldest first, in batches as polls do: those of the account's
 * folder of sent mail, then those of the mailbox (docs/reference/email.md#history). Nothing is changed.
 */
export const mailboxHistory = (
  account: EmailAccount,
  given: string | null,
  options: EmailOptions,
  parseMail: ParseMail
): Effect.Effect<HistoryAnswer, ProviderUnavailable> => {
  const { imap } = account.config
  if (imap === undefined) return refused("The connection has no mailbox (imap): its mails come by webhook.")
  const cursor = given === null ? startOf("sent") : Option.getOrNull(readCursor(given))
  if (cursor === null) return refused("The cursor is not one of an import of mails.")
  const { folder } = cursor
  const open = (mailbox: Mailbox) =>
    folder === "mailbox" ? Effect.succeed(mailbox.about) : openSent(mailbox, mailboxName(imap))
  return withMailbox(account, imap, options, (mailbox) =>
    Effect.gen(function* () {
      const opened = yield* open(mailbox)
      const next = folder === "mailbox" ? null : startOf("mailbox")
      if (opened === null) return pageOf([], next)
      const now = yield* Clock.currentTimeMillis
      const uidValidity = opened.uidValidity.toString()
      const known: Cursor = cursor.uidValidity === uidValidity ? cursor : { ...startOf(folder), uidValidity }
      const { mails, upTo } = yield* oldMails(account, mailbox, opened.uidNext, known.uid, now)
      if (mails.length === 0) return pageOf([], upTo >= opened.uidNext - 1 ? next : { ...known, uid: upTo })
      const direction = folder === "sent" ? "outbound" : "inbound"
      // A mail that is too long is left out.
      const read = (mail: WaitingMail) => {
        const past: PastMail = { direction, at: mail.receivedAt }
        return fetchAndParse(mailbox, mail, (raw, isCut) =>
          isCut ? Effect.succeed([]) : parseMail(account.id, { business: account, raw, now: past.at, past })
        )
      }
      const [, ...others] = mails
      // Without another mail, the second failure leaves the first one out. Another import reads it again.
      const sendsAnother =
        others.length === 0
          ? Effect.void
          : sendsOneOf(others, (use) =>
              withMailbox(account, imap, options, (other) => Effect.zipRight(open(other), use(other)))
            )
      const giveUp = () => Effect.as(inTime(sendsAnother, times.mail), [])
      const { done, events, failed } = yield* readBatch(bounded(mails), known.unreadable, read, giveUp, times)
      const uid = done.at(-1)?.uid ?? known.uid
      return pageOf(byHandle(events), { folder, uidValidity, uid, ...(failed && { unreadable: failed.uid }) })
    })
  )
}

const refused = (problem: string) => Effect.succeed(HistoryAnswer.Refused({ problem }))

const pageOf = (conversations: ReadonlyArray<History>, cursor: Cursor | null): HistoryAnswer =>
  HistoryAnswer.Page({ conversations, cursor: cursor === null ? null : writeCursor(cursor) })

/** Opens the folder of sent mail read-only; null if the server names none, or it is the mailbox itself. */
const openSent = (mailbox: Mailbox, own: string): Effect.Effect<MailboxObject | null, ProviderUnavailable> =>
  Effect.flatMap(
    mailbox.ask((client) => client.list()),
    (folders) => {
      const sent = folders.find(({ specialUse }) => specialUse === "\\Sent")
      return sent === undefined || sent.path === own ? Effect.succeed(null) : openReadOnly(mailbox.ask, sent.path)
    }
  )

/** The next old mails behind a UID, and the UID up to which there are no others. */
const oldMails = (
  account: EmailAccount,
  mailbox: Mailbox,
  uidNext: number,
  after: number,
  now: Instant
): Effect.Effect<{ readonly mails: ReadonlyArray<WaitingMail>; readonly upTo: number }, ProviderUnavailable> =>
  Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + times.list
    let upTo = after
    while (upTo < uidNext - 1) {
      const [first, last] = [upTo + 1, Math.min(upTo + maxUids, uidNext - 1)]
      const listed = yield* listMails(mailbox, `${first}:${last}`, now)
      const mails = listed.filter((mail) => mail.uid >= first && mail.uid <= last && isOld(account, mail))
      if (mails.length > 0) return { mails: mails.slice(0, maxMails), upTo }
      upTo = last
      if ((yield* Clock.currentTimeMillis) >= end) break
    }
    return { mails: [], upTo }
  })

/** The mails of each customer together. */
const byHandle = (events: ReadonlyArray<InboundEvent>): ReadonlyArray<History> => {
  const all = new Map<string, History>()
  for (const event of events) {
    if (event._tag !== "History") continue
    const known = all.get(event.handle)
    const messages = [...(known?.messages ?? []), ...event.messages]
    all.set(event.handle, { ...event, displayName: event.displayName ?? known?.displayName ?? null, messages })
  }
  return [...all.values()]
}
