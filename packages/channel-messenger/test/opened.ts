import type { ChannelProvider, OutboundMessage } from "@parley/core"
import { type Account, aMessengerPage, type FakeMessenger, fakeMessenger, messengerCustomers } from "@parley/testkit"
import { Effect, type Scope } from "effect"
import { type MessengerOptions, messenger } from "../src/index.js"
import { accountOf } from "./account.js"

export const page = aMessengerPage(1)
export const now = 1_790_000_000_000

/** The provider and its account, with its own fake. */
export const opened = (
  channel: "facebook" | "instagram" = "facebook",
  options: MessengerOptions = {}
): Effect.Effect<
  { readonly vendor: FakeMessenger; readonly provider: Required<Messenger>; readonly account: Account },
  never,
  Scope.Scope
> =>
  Effect.map(fakeMessenger(page), (vendor) => ({
    vendor,
    provider: messenger({ graphUrl: vendor.url, ...options }) as Required<Messenger>,
    account: accountOf(page, channel)
  }))

type Messenger = Pick<
  ChannelProvider,
  | "capabilities"
  | "check"
  | "fetchFile"
  | "history"
  | "profileName"
  | "rates"
  | "send"
  | "setUp"
  | "signal"
  | "textProblem"
  | "webhook"
>

export const aMessage = (message: Partial<OutboundMessage> = {}): OutboundMessage => ({
  id: "01900000-0000-7000-8000-000000000001",
  to: messengerCustomers.facebook[0],
  template: null,
  body: "Hello",
  subject: null,
  thread: [],
  attempt: 1,
  ...message
})
