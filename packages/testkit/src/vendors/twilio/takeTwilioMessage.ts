import type { VendorAnswer } from "../VendorServer.js"
import type { TwilioAccount } from "./TwilioAccount.js"
import { twilioCustomers } from "./TwilioAccount.js"
import { twilioError } from "./twilioError.js"

/** A message that the fake accepted. */
export interface TwilioTaken {
  readonly sid: string
  readonly to: string
  readonly text: string | null
  readonly mediaUrls: ReadonlyArray<string>
  /** The URL for progress; null: none. */
  readonly statusCallback: string | null
  /** A number or a Messaging Service. */
  readonly sender: string
}

const parameters = new Set(["To", "From", "MessagingServiceSid", "Body", "MediaUrl", "StatusCallback"])

/** Twilio's response to a message, and the message if accepted. */
export const takeTwilioMessage = (
  form: URLSearchParams,
  account: TwilioAccount,
  sid: string
): { readonly answer: VendorAnswer; readonly taken: TwilioTaken | null } => {
  const to = form.get("To")
  const text = form.get("Body")
  const sender = form.get("From") ?? form.get("MessagingServiceSid")
  const statusCallback = form.get("StatusCallback")
  const mediaUrls = form.getAll("MediaUrl")
  const refusal = (code: number, message: string) => ({ answer: twilioError({ code, message }), taken: null })
  const unknown = [...form.keys()].find((name) => !parameters.has(name))
  const repeated = [...form.keys()].find((name) => name !== "MediaUrl" && form.getAll(name).length > 1)
  if (unknown !== undefined || repeated !== undefined) return refusal(20001, `Unknown parameter ${unknown ?? repeated}`)
  if (to === null) return refusal(21604, "A 'To' phone number is required")
  if (!/^\+[1-9][0-9]{6,14}$/.test(to)) return refusal(21211, `Invalid 'To' Phone Number: ${to}`)
  if (sender === null) return refusal(21603, "A 'From' phone number is required")
  if (form.has("From") && form.has("MessagingServiceSid")) return refusal(21606, "Both From and MessagingServiceSid")
  if (sender !== account.number && sender !== account.messagingServiceSid) {
    return refusal(21606, `The 'From' phone number ${sender} is not a valid, SMS-capable number for your account`)
  }
  if ((text ?? "") === "" && mediaUrls.length === 0)
    return refusal(21619, "A text message body or media urls must be specified")
  if ([...(text ?? "")].length > 1_600)
    return refusal(21617, "The concatenated message body exceeds the 1600 character limit")
  if (mediaUrls.length > 10) return refusal(21623, "Number of media files exceeds the limit")
  if (mediaUrls.some((url) => !/^https?:\/\//.test(url))) return refusal(21620, "Invalid media URL")
  if (statusCallback !== null && !/^https?:\/\/[^_]+\//.test(statusCallback)) {
    return refusal(21609, "The 'StatusCallback' URL is not a valid URL")
  }
  if (!twilioCustomers.some((one) => one === to)) return refusal(21211, `Invalid 'To' Phone Number: ${to}`)
  const body = {
    account_sid: account.accountSid,
    api_version: "2010-04-01",
    body: text ?? "",
    date_created: "Thu, 24 Aug 2026 05:01:45 +0000",
    date_sent: null,
    direction: "outbound-api",
    error_code: null,
    error_message: null,
    from: sender.startsWith("MG") ? null : sender,
    messaging_service_sid: sender.startsWith("MG") ? sender : null,
    num_media: String(mediaUrls.length),
    num_segments: "1",
    price: null,
    price_unit: null,
    sid,
    status: sender.startsWith("MG") ? "accepted" : "queued",
    to,
    uri: `/2010-04-01/Accounts/${account.accountSid}/Messages/${sid}.json`
  }
  return { answer: { status: 201, body }, taken: { sid, to, text, mediaUrls, statusCallback, sender } }
}
