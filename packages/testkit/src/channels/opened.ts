import assert from "node:assert/strict"
import type { ChannelProvider, Instant, OutboundMessage, SendOutcome } from "@parley/core"
import { Effect, type Scope } from "effect"
import type { Account, Arranged, ChannelFixture, TakenMessage } from "./ChannelFixture.js"

/** The time of all events: whole seconds, in ms. So old that a message counts as written when it is received. */
export const now: Instant = 1_790_000_000_000

/** A provider with its own vendor. */
export interface Opened<Vendor> {
  readonly vendor: Vendor
  readonly provider: ChannelProvider
  readonly account: Account
  readonly other: Account
  /** A text to the first valid handle. */
  readonly aText: OutboundMessage
  /**
   * Sends a message on the account's connection; by default {@link aText}, with the account's credentials.
   */
  readonly send: (
    message?: Partial<OutboundMessage>,
    credentials?: Account["credentials"]
  ) => Effect.Effect<SendOutcome>
  /** The messages that the vendor accepted so far; empty if it cannot list them. */
  readonly taken: () => ReadonlyArray<TakenMessage>
}

/** Starts the fixture's vendor; stopped with the scope. */
export const opened = <Vendor>(fixture: ChannelFixture<Vendor>): Effect.Effect<Opened<Vendor>, unknown, Scope.Scope> =>
  Effect.map(fixture.vendor, (vendor) => {
    const provider = fixture.provider(vendor)
    const account = fixture.account(vendor)
    const { taken } = fixture.sends
    const aText = aTextOf(fixture)
    return {
      vendor,
      provider,
      account,
      other: fixture.other(vendor),
      aText,
      send: (message, credentials = account.credentials) =>
        provider.send(account.connection, credentials, { ...aText, ...message }, now),
      taken: () => (typeof taken === "function" ? taken(vendor) : [])
    }
  })

const aTextOf = ({ handles }: Pick<ChannelFixture<never>, "handles">): OutboundMessage => ({
  id: messageId(1),
  to: handles.good[0].normalised,
  template: null,
  body: "Your order is ready.",
  content: null,
  quoted: null,
  subject: null,
  thread: [],
  attempt: 1
})

/** Ids of the engine's format. */
export const messageId = (number: number): string => `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

/** Runs an arrangement at the vendor. */
export const arranged = (arrange: () => Arranged): Effect.Effect<void> =>
  Effect.suspend(() => {
    const done = arrange()
    if (Effect.isEffect(done)) return done
    return done instanceof Promise ? Effect.promise(() => done) : Effect.void
  })

/** The provider's id of an accepted message; dies for other outcomes. */
export const accepted = (outcome: SendOutcome): string => {
  assert.equal(outcome._tag, "Accepted", `not accepted: ${JSON.stringify(outcome)}`)
  assert.ok(outcome._tag === "Accepted")
  const { providerMessageId: id, receipts } = outcome
  assert.ok(typeof id === "string" && id.length > 0 && id.length <= 512, "the provider's id is not text of 1 to 512")
  assert.ok(Array.isArray(receipts), "`receipts` is not a list: it is [] if the vendor reports by webhook")
  return outcome.providerMessageId
}
