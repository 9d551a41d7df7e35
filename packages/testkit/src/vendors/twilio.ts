import { Effect, type Scope } from "effect"
import { listTwilioMessages, type TwilioReceived } from "./twilio/listTwilioMessages.js"
import type { TwilioAccount } from "./twilio/TwilioAccount.js"
import { type TwilioTaken, takeTwilioMessage } from "./twilio/takeTwilioMessage.js"
import { type TwilioErrorAnswer, twilioError } from "./twilio/twilioError.js"
import { type VendorAnswer, type VendorRequest, type VendorServer, vendorServer } from "./VendorServer.js"

export type { TwilioReceived } from "./twilio/listTwilioMessages.js"
export * from "./twilio/TwilioAccount.js"
export * from "./twilio/twilioWebhook.js"

/** A fake of Twilio's API in this process, as strict as Twilio's (docs/reference/sms.md). */
export interface FakeTwilio extends VendorServer {
  /** Oldest first. */
  readonly taken: ReadonlyArray<TwilioTaken>
  /** Answers the next request with this error. */
  readonly refuseNext: (error: TwilioErrorAnswer) => void
  /**
   * By path below the account, such as `/Messages/MM…/Media/ME…`. Each redirects to another path, without credentials.
   */
  readonly files: Map<string, { readonly contentType: string; readonly bytes: Uint8Array }>
  /** The URLs that get the messages of numbers, by number. */
  readonly smsUrls: Map<string, string>
  /** The TwiML applications that get the messages of numbers instead, by number. */
  readonly smsApplications: Map<string, string>
  /** The messages in Twilio's list, to and from its number, oldest first. */
  readonly received: Array<TwilioReceived>
  /** The status of all accounts. */
  status: "active" | "suspended"
}

/** Starts a fake with these accounts. */
export const fakeTwilio = (...accounts: ReadonlyArray<TwilioAccount>): Effect.Effect<FakeTwilio, never, Scope.Scope> =>
  Effect.gen(function* () {
    const taken: Array<TwilioTaken> = []
    const rest: Omit<FakeTwilio, keyof VendorServer | "refuseNext"> = {
      taken,
      files: new Map(),
      smsUrls: new Map(),
      smsApplications: new Map(),
      received: [],
      status: "active"
    }

    const answer = (request: VendorRequest): VendorAnswer => {
      const stored = /^\/stored(\/.+)$/.exec(request.path)?.[1]
      if (stored !== undefined) return download(request, stored)
      const [, sid = "", path = ""] = /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})(\.json|\/.+)$/.exec(request.path) ?? []
      const account = accounts.find(({ accountSid }) => accountSid === sid)
      if (account === undefined || !isAuthorized(request, account)) {
        return twilioError({ code: 20003, status: 401, message: "Authenticate" })
      }
      if (rest.files.has(path)) return { status: 307, headers: { location: `/stored${path}` }, body: "" }
      if (request.method === "POST" && request.headers["content-type"] !== "application/x-www-form-urlencoded") {
        return twilioError({ code: 20001, status: 415, message: "Unsupported media type" })
      }
      const form = new URLSearchParams(request.body.toString())
      switch (`${request.method} ${path}`) {
        case "POST /Messages.json": {
          const result = takeTwilioMessage(form, account, `SM${String(taken.length + 1).padStart(32, "0")}`)
          if (result.taken !== null) taken.push(result.taken)
          return result.answer
        }
        case "GET /Messages.json":
          return listTwilioMessages(rest.received, account, request.query)
        case "GET .json":
          return { status: 200, body: { sid, friendly_name: "Acme", status: rest.status, type: "Full" } }
        case "GET /IncomingPhoneNumbers.json":
          return numbers(account, request.query.get("PhoneNumber"))
        case `POST /IncomingPhoneNumbers/${account.numberSid}.json`: {
          const [url, fallback] = [form.get("SmsUrl"), form.get("SmsFallbackUrl")]
          if (url === null || form.get("SmsMethod") !== "POST") return twilioError({ code: 20001 })
          if (fallback !== null && form.get("SmsFallbackMethod") !== "POST") return twilioError({ code: 20001 })
          rest.smsUrls.set(account.number, url)
          if (form.get("SmsApplicationSid") === "") rest.smsApplications.delete(account.number)
          return { status: 200, body: described(account) }
        }
        default: {
          const files = rest.received.find(({ sid }) => path === `/Messages/${sid}/Media.json`)?.files
          if (files !== undefined && request.method === "GET") return { status: 200, body: { media_list: files } }
          return twilioError({ code: 20404, status: 404, message: "The requested resource was not found" })
        }
      }
    }

    const described = ({ number, numberSid }: TwilioAccount) => ({
      sid: numberSid,
      phone_number: number,
      sms_url: rest.smsUrls.get(number) ?? "",
      sms_method: "POST",
      sms_application_sid: rest.smsApplications.get(number) ?? ""
    })

    const numbers = (account: TwilioAccount, wanted: string | null): VendorAnswer => ({
      status: 200,
      body: { incoming_phone_numbers: wanted === account.number ? [described(account)] : [] }
    })

    /** The redirect's target is signed by its URL: a request with credentials is refused. */
    const download = ({ headers, method }: VendorRequest, path: string): VendorAnswer => {
      const file = rest.files.get(path)
      if (method !== "GET" || headers.authorization !== undefined) return { status: 400, body: "" }
      return file === undefined
        ? { status: 404, body: "" }
        : { status: 200, headers: { "content-type": file.contentType }, body: file.bytes }
    }

    const server = yield* vendorServer(answer)
    return Object.assign(rest, server, {
      refuseNext: (error: TwilioErrorAnswer) => server.answerNext(twilioError(error))
    })
  })

const isAuthorized = ({ headers }: VendorRequest, { accountSid, authToken }: TwilioAccount): boolean =>
  headers.authorization === `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
