import {
  aMessengerPage,
  type ChannelFixture,
  channelContract,
  type FakeMessenger,
  fakeMessenger,
  lacks,
  messengerCustomers,
  whatsAppChallenge as metaChallenge,
  proxyPage,
  unreachableUrl
} from "@parley/testkit"
import { messenger } from "../src/index.js"
import { accountOf } from "./account.js"
import { actions, comments } from "./actions.js"
import { documentedErrors } from "./documentedErrors.js"
import { echoes, news } from "./elsewhere.js"
import { layouts, pressRequest, unknown, vendorRequest } from "./vendorRequest.js"

const ours = aMessengerPage(1)
const theirs = aMessengerPage(2)

const choices = {
  type: "choices",
  button: null,
  options: ["Yes", "No"].map((title) => ({ id: `answer ${title}`, title, description: null }))
} as const

const mediaTypes: { readonly [kind: string]: string } = {
  image: "image/png",
  video: "video/mp4",
  audio: "audio/mp4",
  file: "application/pdf"
}

const isInstagramsOwn = ({ name }: { readonly name: string }) => /\/2534|^80002/.test(name)

const fixtureOf = (channel: "facebook" | "instagram"): ChannelFixture<FakeMessenger> => {
  const [one, other] = messengerCustomers[channel]
  return {
    name: `messenger, ${channel}`,
    vendor: fakeMessenger(ours, theirs),
    provider: ({ url }) => messenger({ graphUrl: url }),
    apiUrl: ({ url }) => ({ url, provider: messenger({ graphUrl: unreachableUrl, apiUrls: [url] }) }),
    account: () => accountOf(ours, channel),
    other: () => accountOf(theirs, channel),
    settings: {
      requiredConfig: ["page_id"],
      requiredCredentials: ["page_access_token", "app_secret", "verify_token"]
    },
    handles: {
      good: [
        { written: ` ${one} `, normalised: one, vendor: one },
        { written: `${other}\t`, normalised: other, vendor: other }
      ],
      bad: ["@ada", "ada.lovelace", "+49151", "12 34", "-1", "1e9", "1".repeat(33)]
    },
    maxTextLength: channel === "facebook" ? "characters" : { bytes: 1_000 },
    sends: {
      taken: ({ taken }) =>
        taken.map(({ content, file, quoted, text, to }) => ({
          ...{ to, text },
          ...(content === null ? {} : { content }),
          ...(quoted === null ? {} : { quoted }),
          // Meta reads type and name from the file itself.
          ...(file === null
            ? {}
            : { files: [{ contentType: mediaTypes[file.type] ?? "", fileName: null, content: { url: file.url } }] })
        })),
      template: lacks("Meta has no such templates here"),
      contents: [
        { content: choices, body: "Today?", takenText: "Today?", taken: { ...choices, button: null } },
        { content: { ...choices, options: choices.options.slice(0, 1) }, body: "Sure?", takenText: "Sure?" },
        ...[channel === "facebook" ? "👍" : "❤", null].map((emoji) => ({
          content: { type: "reaction" as const, emoji },
          body: emoji ?? ""
        }))
      ],
      files: Object.values(mediaTypes),
      dedupes: lacks("Meta does not deduplicate"),
      errors: [
        // Errors of both channels are tested on one.
        ...documentedErrors.filter((error) => isInstagramsOwn(error) === (channel === "instagram")),
        {
          name: "190 with the token in its message",
          arrange: (vendor) =>
            vendor.refuseNext({ code: 190, status: 401, message: `Malformed access token ${ours.accessToken}` }),
          outcome: { _tag: "Rejected", scope: "connection", code: "provider_error", providerCode: "190" }
        }
      ],
      throttles: {
        hinted: {
          arrange: (vendor) => vendor.refuseNext({ code: 613, headers: { "retry-after": "17" } }),
          retryAfterMs: 17_000
        },
        unhinted: { arrange: (vendor) => vendor.refuseNext({ code: 80006 }) }
      },
      unreachable: ({ stop }) => stop(),
      cutOff: ({ cutNext }) => cutNext(),
      garbled: ({ answerNext }, status) => answerNext({ status, body: proxyPage })
    },
    signals: (vendor) => vendor.actions.length,
    webhook: {
      request: vendorRequest,
      layouts,
      proof: { header: "x-hub-signature-256" },
      provesBody: true,
      namesAccount: true,
      actions: [...actions, ...comments[channel]],
      presses: pressRequest,
      echoes,
      news,
      names: lacks("Meta's messages have no names"),
      receipts: channel === "facebook" ? ["sent", "delivered"] : ["read"],
      receiptTimes: true,
      ownIds: lacks(channel === "facebook" ? "only echoes carry our id" : "Instagram does not carry our id"),
      watermarks: channel === "facebook" ? ["delivered", "read"] : lacks("Instagram reports by message"),
      unknown,
      challenge: ({ credentials }) => {
        const token = String(credentials?.verify_token)
        return {
          right: metaChallenge(token),
          answer: "1158201444",
          wrong: [
            metaChallenge(""),
            metaChallenge(`${token} `),
            metaChallenge(token, "1158201444", "unsubscribe"),
            metaChallenge(token, "<script>"),
            { ...metaChallenge(token), query: {} }
          ]
        }
      }
    },
    poll: lacks("Meta sends webhooks"),
    customersFile: (vendor) => {
      const bytes = new Uint8Array(100_000).fill(7)
      vendor.files.set("cat.jpg", { contentType: "image/jpeg", bytes })
      return {
        reference: `${vendor.url}/files/cat.jpg`,
        bytes,
        failsWith: (status) => vendor.answerNext({ status, body: proxyPage })
      }
    },
    check: { working: "Working", wrongCredentials: "Failing" }
  }
}

channelContract(fixtureOf("facebook"))
channelContract(fixtureOf("instagram"))
