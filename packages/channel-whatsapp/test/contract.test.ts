import {
  aWhatsAppBusiness,
  type ChannelFixture,
  channelContract,
  type FakeWhatsApp,
  fakeWhatsApp,
  lacks,
  proxyPage,
  unreachableUrl,
  whatsAppChallenge
} from "@parley/testkit"
import { whatsapp } from "../src/index.js"
import { accountOf } from "./account.js"
import { actions } from "./actions.js"
import { contents } from "./contents.js"
import { documentedErrors } from "./documentedErrors.js"
import { echoes, news } from "./elsewhere.js"
import { layouts, pressRequest, unknown, vendorRequest } from "./vendorRequest.js"

const ours = aWhatsAppBusiness(1)
const theirs = aWhatsAppBusiness(2)

const fixture: ChannelFixture<FakeWhatsApp> = {
  name: "whatsapp",
  vendor: fakeWhatsApp(ours, theirs),
  provider: ({ url }) => whatsapp({ graphUrl: url }),
  apiUrl: ({ url }) => ({ url, provider: whatsapp({ graphUrl: unreachableUrl, apiUrls: [url] }) }),
  account: () => accountOf(ours),
  other: () => accountOf(theirs),
  settings: {
    requiredConfig: ["phone_number_id"],
    requiredCredentials: ["access_token", "app_secret", "verify_token"]
  },
  handles: {
    good: [
      { written: "+49 (151) 123-4567", normalised: "+491511234567", vendor: "491511234567" },
      { written: " US.13491208655302741918 ", normalised: "US.13491208655302741918", vendor: "US.13491208655302741918" }
    ],
    bad: ["151", "somebody", "us.1349", "US.13 49"]
  },
  maxTextLength: "characters",
  sends: {
    taken: ({ taken }) =>
      taken.map(({ content, file, quoted, text, to }) => ({
        ...{ to, text },
        ...(content === null ? {} : { content }),
        ...(quoted === null ? {} : { quoted }),
        ...(file === null ? {} : { files: [{ ...file, content: file.bytes }] })
      })),
    template: {
      template: { name: "order_ready", language: "en_US", variables: ["Ada", "4711"] },
      body: "Hello Ada, your order 4711 is ready."
    },
    contents,
    files: ["image/png", "image/jpeg", "video/mp4", "audio/ogg", "application/pdf", "image/webp"],
    dedupes: lacks("WhatsApp does not deduplicate"),
    errors: [
      ...documentedErrors,
      {
        name: "190 with the token in its words",
        arrange: (vendor) =>
          vendor.refuseNext({ code: 190, status: 401, message: `Malformed access token ${ours.accessToken}` }),
        outcome: { _tag: "Rejected", scope: "connection", code: "provider_error", providerCode: "190" }
      }
    ],
    throttles: {
      hinted: {
        arrange: (vendor) => vendor.refuseNext({ code: 130429, headers: { "retry-after": "17" } }),
        retryAfterMs: 17_000
      },
      unhinted: { arrange: (vendor) => vendor.refuseNext({ code: 131056 }), scope: "recipient" }
    },
    unreachable: ({ stop }) => stop(),
    cutOff: ({ cutNext }) => cutNext(),
    garbled: ({ answerNext }, status) => answerNext({ status, body: proxyPage })
  },
  signals: ({ reads }) => reads.length,
  webhook: {
    request: vendorRequest,
    layouts,
    proof: { header: "x-hub-signature-256" },
    provesBody: true,
    namesAccount: true,
    actions,
    presses: pressRequest,
    echoes,
    news,
    names: true,
    receipts: ["sent", "delivered", "read", "failed"],
    receiptTimes: true,
    ownIds: true,
    watermarks: lacks("WhatsApp reports by message"),
    unknown,
    challenge: ({ credentials }) => {
      const token = String(credentials?.verify_token)
      return {
        right: whatsAppChallenge(token),
        answer: "1158201444",
        wrong: [
          whatsAppChallenge(""),
          whatsAppChallenge(`${token} `),
          whatsAppChallenge(token, "1158201444", "unsubscribe"),
          whatsAppChallenge(token, "<script>"),
          { ...whatsAppChallenge(token), query: {} }
        ]
      }
    }
  },
  poll: lacks("WhatsApp sends webhooks"),
  customersFile: (vendor) => {
    const [reference, bytes] = ["1013859600285441", new Uint8Array(100_000).fill(7)]
    vendor.files.set(reference, { contentType: "image/jpeg", bytes })
    return {
      reference,
      bytes,
      failsWith: (status) => {
        vendor.answerNext({ status: 200, body: { url: `${vendor.url}/files/${reference}` } })
        vendor.answerNext({ status, body: proxyPage })
      }
    }
  },
  check: { working: "Working", wrongCredentials: "Failing" }
}

channelContract(fixture)
