import assert from "node:assert/strict"
import type { ChannelProvider, Instant, OutboundMessage, SendOutcome } from "@parley/core"
import { Effect, type Scope } from "effect"
import type { Account, Arranged, ChannelFixture, TakenMessage } from "./ChannelFixture.js"

/** The moment at which everything happens: whole seconds. */
export const now: Instant = 1_790_000_000_000

/** A provider at work against a vendor of its own. */
export interface Opened<Vendor> {
  readonly vendor: Vendor
  readonly provider: ChannelProvider
  readonly account: Account
  readonly other: Account
  /**
   * Hands a message to the provider, on the account's connection: a text to the first good handle, with the account's
   * credentials, unless said otherwise.
   */
  readonly send: (
    message?: Partial<OutboundMessage>,
    credentials?: Account["credentials"]
  ) => Effect.Effect<SendOutcome>
  /** What the vendor took so far; nothing where it cannot be asked. */
  readonly taken: () => ReadonlyArray<TakenMessage>
}

/** Starts the fixture's vendor, which ends with the scope. */
export const opened = <Vendor>(fixture: ChannelFixture<Vendor>): Effect.Effect<Opened<Vendor>, unknown, Scope.Scope> =>
  Effect.map(fixture.vendor, (vendor) => {
    const provider = fixture.provider(vendor)
    const account = fixture.account(vendor)
    const { taken } = fixture.sends
    return {
      vendor,
      provider,
      account,
      other: fixture.other(vendor),
      send: (message, credentials = account.credentials) =>
        provider.send(account.connection, credentials, { ...aText(fixture), ...message }, now),
      taken: () => (typeof taken === "function" ? taken(vendor) : [])
    }
  })

const aText = ({ handles }: Pick<ChannelFixture<never>, "handles">): OutboundMessage => ({
  id: messageId(1),
  to: handles.good[0].normalised,
  template: null,
  body: "Your order is ready.",
  subject: null,
  thread: [],
  attempt: 1
})

/** Ids as those of the engine's own messages. */
export const messageId = (number: number): string => `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

/** Waits until something is arranged at the vendor. */
export const arranged = (arrange: () => Arranged): Effect.Effect<void> =>
  Effect.suspend(() => {
    const done = arrange()
    if (Effect.isEffect(done)) return done
    return done instanceof Promise ? Effect.promise(() => done) : Effect.void
  })

/** The provider's id of a message that it accepted; dies where it did not. */
export const accepted = (outcome: SendOutcome): string => {
  assert.equal(outcome._tag, "Accepted", `not accepted: ${JSON.stringify(outcome)}`)
  assert.ok(outcome._tag === "Accepted" && outcome.providerMessageId.length > 0, "an empty provider's id")
  return outcome.providerMessageId
}
