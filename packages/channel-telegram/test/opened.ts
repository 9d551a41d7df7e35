import type { ChannelProvider, OutboundMessage } from "@parley/core"
import { type Account, aTelegramBot, type FakeTelegram, fakeTelegram } from "@parley/testkit"
import { Effect, type Scope } from "effect"
import { type TelegramOptions, telegram } from "../src/index.js"
import { accountOf } from "./account.js"

export const bot = aTelegramBot(1)
export const now = 1_790_000_000_000

/** The provider and its account, with its own fake. */
export const opened = (
  options: TelegramOptions = {}
): Effect.Effect<
  { readonly vendor: FakeTelegram; readonly provider: Required<Telegram>; readonly account: Account },
  never,
  Scope.Scope
> =>
  Effect.map(fakeTelegram(bot), (vendor) => ({
    vendor,
    provider: telegram({ apiUrl: vendor.url, ...options }) as Required<Telegram>,
    account: accountOf(bot)
  }))

type Telegram = Pick<ChannelProvider, "capabilities" | "check" | "fetchFile" | "send" | "setUp" | "signal" | "webhook">

export const aMessage = (message: Partial<OutboundMessage> = {}): OutboundMessage => ({
  id: "01900000-0000-7000-8000-000000000001",
  to: "123456789",
  template: null,
  body: "Hello",
  subject: null,
  thread: [],
  attempt: 1,
  ...message
})
