import { createHmac } from "node:crypto"
import { Effect, type Scope } from "effect"
import { readWhatsAppRead, type WhatsAppRead } from "./signals.js"
import { type VendorAnswer, type VendorRequest, type VendorServer, vendorServer } from "./VendorServer.js"
import { badParameter, badToken, type GraphErrorAnswer, graphError, noSuchObject, ok } from "./whatsapp/graphAnswers.js"
import { takeMessage, type WhatsAppTaken, type WhatsAppUpload } from "./whatsapp/takeMessage.js"
import { orderReadyTemplate, type WhatsAppBusiness, type WhatsAppTemplate } from "./whatsapp/WhatsAppBusiness.js"

export type { GraphErrorAnswer } from "./whatsapp/graphAnswers.js"
export * from "./whatsapp/WhatsAppBusiness.js"
export * from "./whatsapp/whatsAppWebhook.js"

/** A file that a customer sent. */
export interface WhatsAppFile {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A fake of WhatsApp's Cloud API in this process, as strict as Meta's (docs/reference/whatsapp.md). */
export interface FakeWhatsApp extends VendorServer {
  /** Oldest first. */
  readonly taken: ReadonlyArray<WhatsAppTaken>
  /** Answers the next request with this error. */
  readonly refuseNext: (error: GraphErrorAnswer) => void
  /** Templates of every business; mutable. */
  readonly templates: Array<WhatsAppTemplate>
  /** By media id. */
  readonly files: Map<string, WhatsAppFile>
  /** Files that the businesses uploaded, by media id; without those that a test lets expire by deleting them. */
  readonly uploads: Map<string, WhatsAppUpload>
  /** The reported URL of {@link files}; null for the fake's own. */
  fileUrl: string | null
  /** Further fields of every number. */
  readonly number: Record<string, unknown>
  /** Requests that mark messages as read, oldest first. */
  readonly reads: Array<WhatsAppRead>
  /** Requests for the data of the WhatsApp Business app, oldest first: each kind once. */
  readonly synced: Array<string>
  /** The business accounts that the app is subscribed to. */
  readonly subscribed: Set<string>
  /** The URL of each number that has one, by phone number id. */
  readonly callbacks: Map<string, string>
}

/** Maximum number of templates per page; small, so that tests have several pages. */
const largestPage = 2

/** Starts a fake with these businesses. */
export const fakeWhatsApp = (
  ...businesses: ReadonlyArray<WhatsAppBusiness>
): Effect.Effect<FakeWhatsApp, never, Scope.Scope> =>
  Effect.gen(function* () {
    const taken: Array<WhatsAppTaken> = []
    let uploaded = 0
    const rest: Omit<FakeWhatsApp, keyof VendorServer | "refuseNext"> = {
      taken,
      templates: [orderReadyTemplate],
      files: new Map(),
      uploads: new Map(),
      fileUrl: null,
      number: { quality_rating: "GREEN", status: "CONNECTED", platform_type: "CLOUD_API" },
      reads: [],
      synced: [],
      subscribed: new Set(),
      callbacks: new Map()
    }

    const answer = async (request: VendorRequest): Promise<VendorAnswer> => {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
      const business = businesses.find(({ accessToken }) => accessToken === token)
      if (business === undefined) return badToken(token)
      const file = /^\/files\/(\w+)$/.exec(request.path)?.[1]
      if (file !== undefined) return download(request, rest.files.get(file))
      const [, id = "", edge] = /^\/v\d\d\.0\/(\w+)(?:\/(\w+))?$/.exec(request.path) ?? []
      const type = request.headers["content-type"]
      if (request.method === "POST" && edge === "media") {
        return id === business.phoneNumberId
          ? upload(rest.uploads, id, `${100_000 + uploaded++}`, request)
          : noSuchObject(id)
      }
      if (request.method === "POST" && type !== "application/json") return badParameter("not JSON")
      switch (`${request.method} ${edge ?? ""}`) {
        case "POST messages": {
          if (id !== business.phoneNumberId) return noSuchObject(id)
          const read = readWhatsAppRead(request.body.toString())
          if (read !== null) {
            rest.reads.push(read)
            return ok({ success: true })
          }
          const wamid = `wamid.${Buffer.from(`${id}-${taken.length}`).toString("base64")}`
          const own = new Map([...rest.uploads].filter(([, { phoneNumberId }]) => phoneNumberId === id))
          const said = takeMessage(request.body.toString(), rest.templates, own, wamid)
          if (said.taken !== null) taken.push(said.taken)
          return said.answer
        }
        case "POST smb_app_data":
          return id === business.phoneNumberId ? syncAppData(rest.synced, request) : noSuchObject(id)
        case "GET message_templates":
          return id === business.businessAccountId ? templatePage(rest.templates, request) : noSuchObject(id)
        case "GET subscribed_apps":
          if (id !== business.businessAccountId) return noSuchObject(id)
          return ok({ data: rest.subscribed.has(id) ? [{ whatsapp_business_api_data: { id: "1" } }] : [] })
        case "POST subscribed_apps":
          if (id !== business.businessAccountId) return noSuchObject(id)
          rest.subscribed.add(id)
          return ok({ success: true })
        case "POST ":
          return id === business.phoneNumberId ? await setCallback(id, request) : noSuchObject(id)
        case "GET ":
          return id === business.phoneNumberId ? number(business, request) : media(business, id, request)
        default:
          return noSuchObject(id)
      }
    }

    const number = (business: WhatsAppBusiness, { query }: VendorRequest): VendorAnswer => {
      const { accessToken, appSecret, displayNumber, name, phoneNumberId } = business
      const proof = createHmac("sha256", appSecret).update(accessToken).digest("hex")
      if (query.has("appsecret_proof") && query.get("appsecret_proof") !== proof) {
        return graphError({ code: 100, message: "Invalid appsecret_proof provided in the API argument" })
      }
      const phone_number = rest.callbacks.get(phoneNumberId)
      const known: { readonly [field: string]: unknown } = {
        display_phone_number: displayNumber,
        verified_name: name,
        webhook_configuration: phone_number === undefined ? {} : { phone_number },
        ...rest.number
      }
      const fields = (query.get("fields") ?? "").split(",").filter((field) => field !== "")
      const missing = fields.find((field) => !(field in known))
      if (missing !== undefined) return badParameter(`Tried accessing nonexisting field (${missing})`)
      return ok({ id: phoneNumberId, ...Object.fromEntries(fields.map((field) => [field, known[field]])) })
    }

    /** Meta verifies the URL before it accepts it. */
    const setCallback = async (id: string, { body }: VendorRequest): Promise<VendorAnswer> => {
      const { webhook_configuration: configuration } = JSON.parse(body.toString())
      const { override_callback_uri: url, verify_token: token } = configuration ?? {}
      if (typeof url !== "string" || url.length > 200 || typeof token !== "string")
        return badParameter("no URL and token")
      const requested = new URL(url)
      requested.search = String(
        new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "1158201444" })
      )
      const echoed = await fetch(requested).then(
        (answer) => (answer.ok ? answer.text() : ""),
        () => ""
      )
      if (echoed !== "1158201444") return graphError({ code: 2200, message: "(#2200) Callback verification failed" })
      rest.callbacks.set(id, url)
      return ok({ success: true })
    }

    const media = (business: WhatsAppBusiness, id: string, { query }: VendorRequest): VendorAnswer => {
      const file = rest.files.get(id)
      const asker = query.get("phone_number_id")
      if (file === undefined || (asker !== null && asker !== business.phoneNumberId)) return noSuchObject(id)
      return ok({
        messaging_product: "whatsapp",
        id,
        url: rest.fileUrl ?? `${server.url}/files/${id}`,
        mime_type: file.contentType,
        sha256: "not looked at",
        file_size: file.bytes.length
      })
    }

    const server = yield* vendorServer(answer)
    return Object.assign(rest, server, {
      refuseNext: (error: GraphErrorAnswer) => server.answerNext(graphError(error))
    })
  })

/** Starts to send the chats or contacts of the WhatsApp Business app, once. */
const syncAppData = (synced: Array<string>, { body }: VendorRequest): VendorAnswer => {
  const { messaging_product, sync_type, ...more } = JSON.parse(body.toString())
  if (messaging_product !== "whatsapp" || Object.keys(more).length > 0) return badParameter("messaging_product")
  if (sync_type !== "history" && sync_type !== "smb_app_state_sync") return badParameter("sync_type")
  if (synced.includes(sync_type)) return badParameter("This step can only be performed once")
  synced.push(sync_type)
  return ok({ messaging_product, request_id: `request-${synced.length}` })
}

/** Types that Meta takes as a file of a message, beyond text and office documents. */
const mediaTypes =
  /^(image\/(jpeg|png|webp)|video\/(mp4|3gpp)|audio\/(aac|amr|mpeg|mp4|ogg|opus)|text\/plain|application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-officedocument\.(wordprocessingml\.document|spreadsheetml\.sheet|presentationml\.presentation)))$/

/** Stores an uploaded file: a form with `messaging_product`, `type` and `file`. */
const upload = async (
  uploads: Map<string, WhatsAppUpload>,
  phoneNumberId: string,
  id: string,
  { body, headers }: VendorRequest
): Promise<VendorAnswer> => {
  const type = headers["content-type"] ?? ""
  if (!type.startsWith("multipart/form-data")) return badParameter("not a form")
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
  const file = form.get("file")
  const contentType = form.get("type")
  if (form.get("messaging_product") !== "whatsapp") return badParameter("messaging_product")
  if (!(file instanceof File) || typeof contentType !== "string") return badParameter("file and type")
  if (!mediaTypes.test(contentType) || file.type !== contentType) {
    return graphError({ code: 131053, message: "(#131053) Media upload error" })
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  uploads.set(id, { contentType, fileName: file.name, bytes, phoneNumberId })
  return ok({ id })
}

/** Some of Meta's hosts require a User-Agent. */
const download = ({ headers, method }: VendorRequest, file: WhatsAppFile | undefined): VendorAnswer => {
  if (method !== "GET" || headers["user-agent"] === undefined) return { status: 400, body: "" }
  return file === undefined
    ? { status: 404, body: "" }
    : { status: 200, headers: { "content-type": file.contentType }, body: file.bytes }
}

const templatePage = (templates: ReadonlyArray<WhatsAppTemplate>, { path, query }: VendorRequest): VendorAnswer => {
  const from = Number(query.get("after") ?? 0)
  const to = from + Math.min(largestPage, Number(query.get("limit") ?? 25))
  const next =
    to < templates.length ? { next: `https://graph.facebook.com${path}?access_token=secret&after=${to}` } : {}
  const fields = (query.get("fields") ?? "name").split(",")
  const data = templates
    .slice(from, to)
    .map((template) => Object.fromEntries(Object.entries(template).filter(([field]) => fields.includes(field))))
  return ok({ data, paging: { cursors: { before: String(from), after: String(to) }, ...next } })
}
