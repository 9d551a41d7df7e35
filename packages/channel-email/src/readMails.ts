import { type InboundEvent, type Instant, minute, ProviderUnavailable } from "@parley/core"
import { Clock, Duration, Effect, Either } from "effect"
import type { EmailAccount } from "./EmailAccount.js"
import { maxMailBytes } from "./inboundParse.js"
import type { Mailbox } from "./Mailbox.js"
import { unknownMail } from "./unknownMail.js"

/** A mail on the server. */
export interface WaitingMail {
  readonly uid: number
  readonly bytes: number
  /** By the server's clock. */
  readonly receivedAt: Instant
}

/** The maximum of one batch. Its first mail may exceed the limit of bytes. */
export const maxMails = 25
const maxBytes = maxMailBytes

/** The tolerated difference between the clocks, in ms. */
const tolerance = 10 * minute

/** Whether a mail was received before the connection was created. */
export const isOld = ({ createdAt }: EmailAccount, { receivedAt }: WaitingMail): boolean =>
  receivedAt < createdAt - tolerance

/**
 * The mails with UIDs in this range, in order, and perhaps others: meanwhile a server also sends changed flags of any
 * mail (RFC 9051, 7.5.2), in replies without a size.
 */
export const listMails = (
  mailbox: Mailbox,
  range: string,
  now: Instant
): Effect.Effect<ReadonlyArray<WaitingMail>, ProviderUnavailable> =>
  Effect.map(
    mailbox.ask((client) => client.fetchAll(range, { uid: true, size: true, internalDate: true }, { uid: true })),
    (found) =>
      found
        .flatMap(({ internalDate, size, uid }): ReadonlyArray<WaitingMail> => {
          if (size === undefined) return []
          const receivedAt = new Date(internalDate ?? now).getTime()
          return [{ uid, bytes: size, receivedAt: Number.isNaN(receivedAt) ? now : receivedAt }]
        })
        .sort((one, other) => one.uid - other.uid)
  )

/** As many as fit into the limits, at least one. */
export const bounded = (mails: ReadonlyArray<WaitingMail>): ReadonlyArray<WaitingMail> => {
  let bytes = 0
  const tooMany = mails.findIndex((mail, place) => {
    bytes += mail.bytes
    return place > 0 && bytes > maxBytes
  })
  return tooMany === -1 ? mails : mails.slice(0, tooMany)
}

/** Bytes that are the beginning of a mail: its text is in them, because mail programs put files behind it. */
const beginningBytes = 1_048_576

/**
 * The bytes of a mail; `isCut`: only the beginning. Fails if the server sends other mails only, also if this one was
 * deleted meanwhile: then the next search leaves it out.
 */
const contentOf = (
  mailbox: Mailbox,
  { uid }: Pick<WaitingMail, "uid">,
  isCut: boolean
): Effect.Effect<Buffer, ProviderUnavailable> => {
  const source = isCut ? { start: 0, maxLength: beginningBytes } : true
  return Effect.flatMap(
    mailbox.ask((client) => client.fetchAll(`${uid}`, { uid: true, source }, { uid: true })),
    (found) => {
      const raw = found.find((reply) => reply.uid === uid && reply.source)?.source
      return raw === undefined ? new ProviderUnavailable({ reason: "does not send a mail" }) : Effect.succeed(raw)
    }
  )
}

/** Fetches a mail and parses it, or its beginning if it is too long (`isCut`). */
export const fetchAndParse = (
  mailbox: Mailbox,
  mail: WaitingMail,
  parse: (raw: Buffer, isCut: boolean) => Effect.Effect<ReadonlyArray<InboundEvent>>
): Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable> => {
  const isCut = mail.bytes > maxMailBytes
  return Effect.flatMap(contentOf(mailbox, mail, isCut), (raw) => parse(raw, isCut))
}

/**
 * Succeeds if the server sends the beginning of any of these mails, the last one first. Each is asked for on a
 * connection of its own (`connect`), which an unreadable mail may end.
 */
export const sendsOneOf = (
  mails: ReadonlyArray<WaitingMail>,
  connect: (
    use: (mailbox: Mailbox) => Effect.Effect<unknown, ProviderUnavailable>
  ) => Effect.Effect<unknown, ProviderUnavailable>
): Effect.Effect<void, ProviderUnavailable> =>
  mails.reduce<Effect.Effect<void, ProviderUnavailable>>(
    (earlier, mail) =>
      Effect.catchAll(Effect.asVoid(connect((mailbox) => contentOf(mailbox, mail, true))), () => earlier),
    new ProviderUnavailable({ reason: "sends none of its mails" })
  )

/** Gives the events of a mail. */
type ReadMail = (mail: WaitingMail) => Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable>

/** Limits in ms. */
interface Times {
  /** Timeout of one mail. */
  readonly mail: number
  /** Time after which a batch begins no other mail. */
  readonly batch: number
}

/** What was read of a batch. */
interface ReadBatch {
  readonly events: ReadonlyArray<InboundEvent>
  /** The mails before the position of the next batch. */
  readonly done: ReadonlyArray<WaitingMail>
  /** The mail behind them, if it could not be read. */
  readonly failed: WaitingMail | null
}

/**
 * Reads mails in order, up to one that cannot be read: the next batch begins with it. A mail that cannot be read a
 * second time (`unreadable`) is replaced by the events of `giveUp`, which fails if nothing shows that the server works.
 */
export const readBatch = (
  batch: ReadonlyArray<WaitingMail>,
  unreadable: number | undefined,
  readMail: ReadMail,
  giveUp: ReadMail,
  times: Times
): Effect.Effect<ReadBatch, ProviderUnavailable> =>
  Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + times.batch
    const events: Array<InboundEvent> = []
    for (const [place, mail] of batch.entries()) {
      const result = yield* Effect.either(inTime(readMail(mail), times.mail))
      if (Either.isLeft(result)) {
        if (place > 0) return { events, done: batch.slice(0, place), failed: mail }
        if (mail.uid === unreadable) return { events: yield* giveUp(mail), done: [mail], failed: null }
        return { events, done: [], failed: mail }
      }
      events.push(...result.right)
      if ((yield* Clock.currentTimeMillis) >= end) return { events, done: batch.slice(0, place + 1), failed: null }
    }
    return { events, done: batch, failed: null }
  })

/** Fails after a time in ms. */
export const inTime = <A>(
  read: Effect.Effect<A, ProviderUnavailable>,
  timeoutMs: number
): Effect.Effect<A, ProviderUnavailable> =>
  Effect.timeoutFail(read, {
    duration: Duration.millis(timeoutMs),
    onTimeout: () => new ProviderUnavailable({ reason: "does not send a mail in time" })
  })

/** The event of a mail that the server does not send. */
export const notReadable = unknownMail("not readable", Buffer.from("The mail server does not send this mail."))
