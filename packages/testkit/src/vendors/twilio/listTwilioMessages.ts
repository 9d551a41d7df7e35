import type { VendorAnswer } from "../VendorServer.js"
import type { TwilioAccount } from "./TwilioAccount.js"
import { twilioError } from "./twilioError.js"

/** A message in Twilio's list: to the account's number, or from it. */
export interface TwilioReceived {
  readonly sid: string
  readonly from: string
  readonly to: string
  readonly body: string
  /** In ms. Twilio lists seconds. */
  readonly at: number
  /** Of a message from the account's number. Default: `delivered`. */
  readonly status?: string
  readonly files?: ReadonlyArray<{ readonly sid: string; readonly content_type: string }>
}

/**
 * `GET /Messages.json` for the messages to a number or from it, the newest first, if wanted within a span of time
 * (docs/reference/sms.md#missed-messages, docs/reference/sms.md#history).
 */
export const listTwilioMessages = (
  listed: ReadonlyArray<TwilioReceived>,
  { accountSid, number }: TwilioAccount,
  query: URLSearchParams
): VendorAnswer => {
  const [since, until] = ["DateSent>", "DateSent<"].map((name) => query.get(name))
  const first = since == null ? 0 : Date.parse(since)
  const last = until == null ? Number.POSITIVE_INFINITY : Date.parse(until)
  const [size, page] = [Number(query.get("PageSize") ?? 50), Number(query.get("Page") ?? 0)]
  const [from, to] = [query.get("From"), query.get("To")]
  if (!(first <= last) || !(size >= 1 && size <= 1_000) || (from === null) === (to === null)) {
    return twilioError({ code: 20001 })
  }
  const found = listed
    .filter((one) => (from === null ? one.to === to && to === number : one.from === from && from === number))
    .filter(({ at }) => at >= first && at <= last)
    .toReversed()
  const more = found.length > (page + 1) * size
  const next = new URLSearchParams([...query])
  next.set("Page", `${page + 1}`)
  return {
    status: 200,
    body: {
      messages: found.slice(page * size, (page + 1) * size).map((one) => ({
        ...{ sid: one.sid, from: one.from, to: one.to, body: one.body, account_sid: accountSid },
        ...(one.to === number
          ? { direction: "inbound", status: "received" }
          : { direction: "outbound-api", status: one.status ?? "delivered" }),
        ...{ num_media: `${one.files?.length ?? 0}`, num_segments: "1", price: null, price_unit: "USD" },
        date_sent: new Date(one.at).toUTCString().replace("GMT", "+0000")
      })),
      next_page_uri: more ? `/2010-04-01/Accounts/${accountSid}/Messages.json?${next}` : null
    }
  }
}
