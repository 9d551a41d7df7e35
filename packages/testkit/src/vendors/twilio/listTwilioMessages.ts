import type { VendorAnswer } from "../VendorServer.js"
import type { TwilioAccount } from "./TwilioAccount.js"
import { twilioError } from "./twilioError.js"

/** A customer's message in Twilio's list. */
export interface TwilioReceived {
  readonly sid: string
  readonly from: string
  readonly to: string
  readonly body: string
  /** In ms. Twilio lists seconds. */
  readonly at: number
  readonly files?: ReadonlyArray<{ readonly sid: string; readonly content_type: string }>
}

/**
 * `GET /Messages.json` for the messages to a number within a span of time, the newest first
 * (docs/reference/sms.md#missed-messages).
 */
export const listTwilioMessages = (
  received: ReadonlyArray<TwilioReceived>,
  { accountSid, number }: TwilioAccount,
  query: URLSearchParams
): VendorAnswer => {
  const [from, until] = ["DateSent>", "DateSent<"].map((name) => Date.parse(query.get(name) ?? ""))
  const [size, page] = [Number(query.get("PageSize") ?? 50), Number(query.get("Page") ?? 0)]
  if (from === undefined || until === undefined || !(from <= until) || !(size >= 1 && size <= 1_000)) {
    return twilioError({ code: 20001 })
  }
  const found = received
    .filter(({ at, to }) => to === number && to === query.get("To") && at >= from && at <= until)
    .toReversed()
  const more = found.length > (page + 1) * size
  const next = new URLSearchParams([...query])
  next.set("Page", `${page + 1}`)
  return {
    status: 200,
    body: {
      messages: found.slice(page * size, (page + 1) * size).map(({ at, body, files = [], from, sid, to }) => ({
        ...{ sid, from, to, body, account_sid: accountSid, direction: "inbound", status: "received" },
        ...{ num_media: `${files.length}`, num_segments: "1", price: null, price_unit: "USD" },
        date_sent: new Date(at).toUTCString().replace("GMT", "+0000")
      })),
      next_page_uri: more ? `/2010-04-01/Accounts/${accountSid}/Messages.json?${next}` : null
    }
  }
}
