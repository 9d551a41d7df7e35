import {
  aTwilioAccount,
  type ChannelFixture,
  channelContract,
  type FakeTwilio,
  fakeTwilio,
  lacks,
  proxyPage,
  twilioCustomers,
  unreachableUrl
} from "@parley/testkit"
import { sms } from "../src/index.js"
import { accountOf } from "./account.js"
import { documentedErrors } from "./documentedErrors.js"
import { sidOf, vendorRequest } from "./vendorRequest.js"

const ours = aTwilioAccount(1)
const theirs = aTwilioAccount(2)
const [one, other] = twilioCustomers

const fixture: ChannelFixture<FakeTwilio> = {
  name: "sms",
  vendor: fakeTwilio(ours, theirs),
  provider: ({ url }) => sms({ apiUrl: url }),
  apiUrl: ({ url }) => ({ url, provider: sms({ apiUrl: unreachableUrl, apiUrls: [url] }) }),
  account: () => accountOf(ours),
  other: () => accountOf(theirs),
  settings: { requiredConfig: ["account_sid"], requiredCredentials: ["auth_token"] },
  handles: {
    good: [
      { written: "+1 (500) 555-0006", normalised: one, vendor: one },
      { written: "0049 151 1234567", normalised: other, vendor: other }
    ],
    bad: ["151", "somebody", "US.13491208655302741918"]
  },
  maxTextLength: "characters",
  sends: {
    taken: ({ taken }) =>
      taken.map(({ mediaUrls, text, to }) => ({
        ...{ to, text },
        ...(mediaUrls.length === 0
          ? {}
          : { files: mediaUrls.map((url) => ({ contentType: contentTypeIn(url), fileName: null, content: { url } })) })
      })),
    template: lacks("SMS has no templates"),
    contents: lacks("SMS carries texts and files"),
    files: ["image/png", "video/mp4", "audio/mpeg", "text/vcard", "application/pdf"],
    dedupes: lacks("Twilio sends a repeated request again"),
    errors: [
      ...documentedErrors,
      {
        name: "20003 with the token in its message",
        arrange: (vendor) => vendor.refuseNext({ code: 20003, status: 401, message: `Bad token ${ours.authToken}` }),
        outcome: { _tag: "Rejected", scope: "connection", code: "provider_error", providerCode: "20003" }
      }
    ],
    throttles: {
      hinted: {
        arrange: (vendor) => vendor.refuseNext({ code: 20429, status: 429, headers: { "retry-after": "3" } }),
        retryAfterMs: 3_000
      },
      unhinted: { arrange: (vendor) => vendor.refuseNext({ code: 21611 }) }
    },
    unreachable: ({ stop }) => stop(),
    cutOff: ({ cutNext }) => cutNext(),
    garbled: ({ answerNext }, status) => answerNext({ status, body: proxyPage })
  },
  webhook: {
    request: vendorRequest,
    layouts: lacks("Twilio makes one request for each event"),
    proof: { header: "x-twilio-signature" },
    provesBody: lacks("Twilio signs the decoded fields: webhook.test.ts alters those"),
    namesAccount: lacks("the signed URL names the connection"),
    actions: [
      { what: "a picture", type: "media", body: "", files: ["image"] },
      { what: "a picture and a contact card with a text", type: "media", body: "Look", files: ["image", "document"] }
    ],
    names: lacks("SMS have no names"),
    receipts: ["sent", "delivered", "failed"],
    receiptTimes: lacks("Twilio names no time before the carrier's"),
    ownIds: true,
    watermarks: lacks("Twilio reports each message"),
    unknown: ["a new status"],
    challenge: lacks("Twilio does not check the URL")
  },
  poll: {
    arrive: ({ received }, { connection: { handle: to } }, events) => {
      for (const event of events) {
        if (event._tag !== "Message") throw new Error(`Twilio lists no ${event._tag}`)
        const { at, from, number, text: body } = event
        received.push({ ...{ at, body, from, to }, sid: sidOf("SM", `${number}`) })
      }
    },
    receipts: []
  },
  customersFile: (vendor) => {
    const [path, bytes] = ["/Messages/MM1/Media/ME1", new Uint8Array(100_000).fill(7)]
    vendor.files.set(path, { contentType: "image/png", bytes })
    return {
      reference: `${vendor.url}/2010-04-01/Accounts/${ours.accountSid}${path}`,
      bytes,
      failsWith: (status) => vendor.answerNext({ status, body: proxyPage })
    }
  },
  check: { working: "Working", wrongCredentials: "Failing" }
}

/** The kit's files are named by their type. */
const contentTypeIn = (url: string): string => url.replace("https://parley.example/media/", "")

channelContract(fixture)
