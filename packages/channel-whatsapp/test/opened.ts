import type { ChannelProvider, OutboundMessage } from "@parley/core"
import { type Account, aWhatsAppBusiness, type FakeWhatsApp, fakeWhatsApp } from "@parley/testkit"
import { Effect, type Scope } from "effect"
import { type WhatsAppOptions, whatsapp } from "../src/index.js"
import { accountOf } from "./account.js"

export const business = aWhatsAppBusiness(1)
export const now = 1_790_000_000_000

/** The provider and its account, with its own fake. */
export const opened = (
  options: WhatsAppOptions = {}
): Effect.Effect<
  { readonly vendor: FakeWhatsApp; readonly provider: Required<Whatsapp>; readonly account: Account },
  never,
  Scope.Scope
> =>
  Effect.map(fakeWhatsApp(business), (vendor) => ({
    vendor,
    provider: whatsapp({ graphUrl: vendor.url, ...options }) as Required<Whatsapp>,
    account: accountOf(business)
  }))

type Whatsapp = Pick<
  ChannelProvider,
  "check" | "fetchFile" | "history" | "kind" | "listTemplates" | "rates" | "send" | "setUp" | "signal" | "webhook"
>

export const aMessage = (message: Partial<OutboundMessage> = {}): OutboundMessage => ({
  id: "01900000-0000-7000-8000-000000000001",
  to: "+491511234567",
  template: null,
  body: "Hello",
  subject: null,
  thread: [],
  attempt: 1,
  ...message
})
