import assert from "node:assert/strict"
import type { AccountEvents, InboundEvent, ProviderRequest, WebhookUnreadable } from "@parley/core"
import { Effect, type Scope } from "effect"
import type { Account, ChannelFixture, Lacks, WebhookFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase, isLacking } from "./ContractCase.js"
import { customerMessage } from "./customerMessage.js"
import { now, type Opened, opened } from "./opened.js"
import type { VendorEvent } from "./VendorEvent.js"

/** A provider's webhook and its vendor. */
export interface CalledWebhook<Vendor> extends Opened<Vendor> {
  /** A request of the vendor, by default for this account. */
  readonly request: (events: ReadonlyArray<VendorEvent>, layout?: string | null, from?: Account) => ProviderRequest
  /** Whether the account's connection accepts a request. */
  readonly verify: (request: ProviderRequest) => boolean
  readonly parse: (request: ProviderRequest) => Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable>
  /** The events of a request for the account's connection. */
  readonly events: (request: ProviderRequest) => Effect.Effect<ReadonlyArray<InboundEvent>, WebhookUnreadable>
  /** {@link customerMessage} */
  readonly message: (number: number, text?: string) => ReturnType<typeof customerMessage>
}

/** A case of the webhook, with the features that it requires. */
export const webhookCase = <Vendor, Facet>(
  fixture: ChannelFixture<Vendor>,
  name: string,
  facet: (webhook: WebhookFixture) => Facet | Lacks,
  run: (called: CalledWebhook<Vendor>, facet: Facet) => Effect.Effect<void, unknown, Scope.Scope>
): ContractCase => {
  const { webhook } = fixture
  if (isLacking(webhook)) return conditionalCase(name, webhook, () => Effect.void)
  return conditionalCase(name, facet(webhook), (facet) =>
    Effect.flatMap(opened(fixture), (world) => run(calledWebhook(fixture, webhook, world), facet))
  )
}

/** For cases that apply to every webhook. */
export const anyWebhook = (webhook: WebhookFixture): WebhookFixture => webhook

const calledWebhook = <Vendor>(
  fixture: ChannelFixture<Vendor>,
  { request }: WebhookFixture,
  world: Opened<Vendor>
): CalledWebhook<Vendor> => {
  const { account, provider } = world
  const { webhook } = provider
  assert.ok(webhook, "the provider has no webhook")
  const parse = (request: ProviderRequest) => webhook.parse(account.connection, request, now)
  const own: ReadonlyArray<string | null | undefined> = [
    null,
    webhook.accountOf?.(account.connection),
    webhook.businessAccountOf?.(account.connection)
  ]
  return {
    ...world,
    request: (events, layout = null, from = account) => request(from, events, layout),
    verify: (request) => {
      const verified: unknown = webhook.verify(account.connection, account.credentials, request, now)
      assert.ok(typeof verified === "boolean", "verify does not return true or false")
      return verified
    },
    parse,
    events: (request) =>
      Effect.map(parse(request), (accounts) =>
        accounts.filter(({ account }) => own.includes(account)).flatMap(({ events }) => events)
      ),
    message: (number, text) => customerMessage(fixture, number, text)
  }
}
