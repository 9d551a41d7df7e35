import {
  aTelegramBot,
  type ChannelFixture,
  type FakeTelegram,
  fakeTelegram,
  lacks,
  proxyPage,
  unreachableUrl
} from "@parley/testkit"
import { telegram } from "../src/index.js"
import { accountOf } from "./account.js"
import { actions } from "./actions.js"
import { contents } from "./contents.js"
import { documentedErrors } from "./documentedErrors.js"
import { pressRequest, unknown, vendorRequest } from "./vendorRequest.js"

export const ours = aTelegramBot(1)
export const theirs = aTelegramBot(2)

const noReceipts = lacks("Telegram sends no receipts")

/** The channel for the contract, on a bot's own chats. */
export const fixture: ChannelFixture<FakeTelegram> = {
  name: "telegram",
  vendor: fakeTelegram(ours, theirs),
  provider: ({ url }) => telegram({ apiUrl: url }),
  apiUrl: ({ url }) => ({ url, provider: telegram({ apiUrl: unreachableUrl, apiUrls: [url] }) }),
  account: () => accountOf(ours),
  other: () => accountOf(theirs),
  settings: { requiredConfig: [], requiredCredentials: ["bot_token"] },
  handles: {
    good: [
      { written: " 123456789 ", normalised: "123456789", vendor: "123456789" },
      { written: "-1001234567890", normalised: "-1001234567890", vendor: "-1001234567890" }
    ],
    bad: ["@ada", "ada", "+491511234567", "0123", "12.5", "- 12", "12345678901234567", "https://t.me/ada"]
  },
  maxTextLength: "characters",
  sends: {
    taken: ({ taken }) =>
      taken.map(({ chatId, content, file, quoted, text }) => ({
        to: chatId,
        text,
        ...(content === null ? {} : { content }),
        ...(quoted === null ? {} : { quoted: `${chatId}:${quoted}` }),
        ...(file === null ? {} : { files: [file] })
      })),
    template: lacks("Telegram has no templates"),
    contents,
    files: [
      "image/jpeg",
      "image/png",
      "image/gif",
      "image/webp",
      "video/mp4",
      "video/webm",
      "audio/mpeg",
      "audio/x-m4a",
      "audio/ogg",
      "audio/wav",
      "application/pdf"
    ],
    dedupes: lacks("Telegram does not deduplicate"),
    errors: [
      ...documentedErrors,
      {
        name: "401 with the token in its message",
        arrange: (vendor) => vendor.refuseNext({ code: 401, description: `Unauthorized: ${ours.token}` }),
        outcome: { _tag: "Rejected", scope: "connection", code: "provider_error", providerCode: "401" }
      }
    ],
    throttles: {
      hinted: {
        arrange: (vendor) =>
          vendor.refuseNext({
            code: 429,
            description: "Too Many Requests: retry after 34",
            parameters: { retry_after: 34 }
          }),
        retryAfterMs: 34_000
      },
      unhinted: { arrange: (vendor) => vendor.refuseNext({ code: 429, description: "Too Many Requests" }) }
    },
    unreachable: ({ stop }) => stop(),
    cutOff: ({ cutNext }) => cutNext(),
    garbled: ({ answerNext }, status) => answerNext({ status, body: proxyPage })
  },
  signals: ({ typing }) => typing.length,
  webhook: {
    request: vendorRequest,
    layouts: lacks("a request has one update"),
    proof: { header: "x-telegram-bot-api-secret-token" },
    provesBody: lacks("Telegram sends a secret, not a signature"),
    namesAccount: lacks("an update does not say which bot it is for"),
    actions,
    presses: pressRequest,
    names: true,
    receipts: noReceipts,
    receiptTimes: noReceipts,
    ownIds: noReceipts,
    watermarks: noReceipts,
    unknown,
    challenge: lacks("Telegram does not check the URL")
  },
  poll: lacks("Telegram sends webhooks"),
  customersFile: (vendor) => {
    const [reference, path, bytes] = ["AgACAgIAAxkBAAIBQ2f-photo", "photos/file_7.jpg", new Uint8Array(100_000).fill(7)]
    vendor.files.set(reference, { path, bytes })
    return {
      reference,
      bytes,
      failsWith: (status) => {
        vendor.answerNext({ status: 200, body: { ok: true, result: { file_id: reference, file_path: path } } })
        vendor.answerNext({ status, body: proxyPage })
      }
    }
  },
  check: { working: "Working", wrongCredentials: "Failing" }
}
