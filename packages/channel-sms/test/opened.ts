import type { ChannelProvider, OutboundMessage } from "@parley/core"
import { type Account, aTwilioAccount, type FakeTwilio, fakeTwilio, twilioCustomers } from "@parley/testkit"
import { Effect, type Scope } from "effect"
import { sms } from "../src/index.js"
import { accountOf } from "./account.js"

export const twilioAccount = aTwilioAccount(1)
export const now = 1_790_000_000_000

type Sms = ChannelProvider &
  Required<Pick<ChannelProvider, "check" | "fetchFile" | "history" | "poll" | "rates" | "setUp" | "webhook">>

/** The provider and its account, with its own fake. `config` is added to the account's. */
export const opened = (
  config: object = {},
  handle?: string
): Effect.Effect<
  { readonly vendor: FakeTwilio; readonly provider: Sms; readonly account: Account },
  never,
  Scope.Scope
> =>
  Effect.map(fakeTwilio(twilioAccount), (vendor) => {
    const account = accountOf(twilioAccount)
    const connection = {
      ...account.connection,
      handle: handle ?? account.connection.handle,
      config: { ...account.connection.config, ...config }
    }
    return { vendor, provider: sms({ apiUrl: vendor.url }) as Sms, account: { ...account, connection } }
  })

export const aMessage = (message: Partial<OutboundMessage> = {}): OutboundMessage => ({
  id: "01900000-0000-7000-8000-000000000001",
  to: twilioCustomers[0],
  template: null,
  body: "Hello",
  subject: null,
  thread: [],
  attempt: 1,
  ...message
})
