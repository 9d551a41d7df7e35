import { createHmac } from "node:crypto"
import type { ProviderRequest } from "@parley/core"
import { type Account, type ChannelFixture, channelContract, lacks, type VendorEvent } from "@parley/testkit"
import { Effect } from "effect"
import { email } from "../src/index.js"
import { accountAt, bakery, business, type MailServers, mailServers } from "./accounts.js"
import { documentedErrors } from "./documentedErrors.js"
import { aMail, aReport, multipart, part } from "./mails.js"

interface Vendor {
  readonly ours: MailServers
  readonly theirs: MailServers
}

const butcher = business("butcher")

/** The mail of a vendor's event. */
const mailOf = (event: VendorEvent): Buffer => {
  switch (event._tag) {
    case "Message":
      return aMail(
        {
          From: `${event.name} <${event.from}>`,
          "Message-ID": `<mail-${event.number}@customer.example>`,
          Date: new Date(event.at).toUTCString(),
          "Content-Type": "text/plain; charset=utf-8",
          "Content-Transfer-Encoding": "base64"
        },
        Buffer.from(event.text).toString("base64")
      )
    case "Receipt":
      return aReport(event.status, { returned: event.providerMessageId, date: new Date(event.at).toUTCString() })
    case "Unknown":
      return event.what === "a read receipt"
        ? aMail({ "Content-Type": "multipart/report; report-type=disposition-notification; boundary=x" }, event.mark)
        : aMail({ From: "MAILER-DAEMON@customer.example" }, event.mark)
    case "Action": {
      const [headers, body] = multipart("mixed", [
        part("text/plain", event.what === "a picture" ? "" : "Look"),
        part("image/png", "cG5n", "Content-Transfer-Encoding: base64", "Content-Disposition: attachment"),
        ...(event.what === "a picture" ? [] : [part("application/pdf", "%PDF-1.7", "Content-Disposition: attachment")])
      ])
      const date = new Date(event.at).toUTCString()
      const id = `<action-${event.number}@customer.example>`
      return aMail({ From: event.from, "Message-ID": id, Date: date, ...headers }, body)
    }
    case "Watermark":
      throw new Error(`mail has no ${event._tag}`)
  }
}

const post = ({ credentials }: Account, body: Uint8Array): ProviderRequest => ({
  method: "POST",
  path: "",
  query: {},
  headers: {
    "content-type": "message/rfc822",
    "x-parley-signature": `sha256=${createHmac("sha256", `${credentials?.inbound_secret}`).update(body).digest("hex")}`
  },
  body
})

const one = (events: ReadonlyArray<VendorEvent>): VendorEvent => {
  const [event] = events
  if (event === undefined || events.length > 1) throw new Error("a request has one mail")
  return event
}

const fixture: ChannelFixture<Vendor> = {
  name: "email",
  vendor: Effect.all({ ours: mailServers(bakery), theirs: mailServers(butcher) }),
  provider: () => email(),
  account: ({ ours }) => accountAt(bakery, ours),
  other: ({ theirs }) => accountAt(butcher, theirs),
  settings: { requiredConfig: ["smtp.host"], requiredCredentials: [] },
  handles: {
    good: [
      { written: " Ada@Customer.example ", normalised: "ada@customer.example", vendor: "ada@customer.example" },
      {
        written: "o'neil+shop@mail.example",
        normalised: "o'neil+shop@mail.example",
        vendor: "o'neil+shop@mail.example"
      }
    ],
    bad: [
      "ada",
      "ada@",
      "@customer.example",
      "ada@customer.example, bob@customer.example",
      "Ada <ada@customer.example>"
    ]
  },
  maxTextLength: lacks("a mail has no longest text"),
  sends: {
    taken: ({ ours }) =>
      ours.smtp.taken.map(({ envelope, mail }) => ({
        to: `${envelope.rcptTo[0]?.address}`,
        // The last line of a mail has a line break.
        text: mail.text?.replace(/\n$/, "") ?? null,
        ...(mail.attachments.length === 0
          ? {}
          : {
              files: mail.attachments.map(({ content, contentType, filename }) => ({
                ...{ contentType, content: new Uint8Array(content), fileName: filename ?? null }
              }))
            })
      })),
    template: { template: { name: "welcome", language: "en", variables: ["Ada"] }, body: "Hello Ada" },
    contents: lacks("mails carry texts and files"),
    files: ["image/png", "application/pdf", "text/plain", "application/zip"],
    dedupes: lacks("mail servers do not deduplicate"),
    errors: documentedErrors.map(({ name, outcome, reply, stage }) => ({
      name,
      arrange: ({ ours }) => ours.smtp.refuse(stage, reply),
      outcome
    })),
    throttles: {
      hinted: lacks("SMTP cannot say how long to wait"),
      unhinted: { arrange: ({ ours }) => ours.smtp.refuse("mail", "421 4.7.28 Exceeded the rate limit of messages") }
    },
    unreachable: ({ ours }) => ours.smtp.stop(),
    cutOff: ({ ours }) => ours.smtp.cut("data"),
    garbled: lacks("a mail server answers with lines that begin with a code")
  },
  webhook: {
    request: (account, events) => post(account, mailOf(one(events))),
    layouts: lacks("a request has one mail"),
    proof: { header: "x-parley-signature" },
    provesBody: true,
    namesAccount: lacks("the URL, not the mail, names the connection"),
    actions: [
      { what: "a picture", type: "media", body: "", files: ["image"] },
      { what: "a text with two files", type: "media", body: "Look", files: ["image", "document"] }
    ],
    names: true,
    receipts: ["failed", "delivered"],
    receiptTimes: true,
    ownIds: true,
    watermarks: lacks("mail has no watermarks"),
    unknown: ["a read receipt", "a bounce that is no report"],
    challenge: lacks("the URL is not verified")
  },
  poll: {
    arrive: ({ ours }, _account, events) => {
      for (const event of events) ours.imap.deliver(mailOf(event), Date.UTC(2026, 8, 21))
    },
    receipts: ["failed", "delivered"]
  },
  check: { working: "Working", wrongCredentials: "Failing" }
}

channelContract(fixture)
