import { Effect } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"

/** An answer of the server, whatever its status. */
export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** What a send is answered with. */
export type Sent = Answer<{ readonly data: { readonly message_id: string; readonly status: string } }>

/** A message as the public API shows it. */
export interface ShownMessage {
  readonly status: string
  readonly body: string
  readonly sent_at: string | null
  readonly delivered_at: string | null
  readonly read_at: string | null
}

const fetched = async <Body>(url: string, init: RequestInit): Promise<Answer<Body>> => {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}

/** Calls the public API with the demo's key. */
export const callApi = <Body>(demo: DemoFile, path: string, init: RequestInit = {}): Promise<Answer<Body>> =>
  fetched(`${demo.base_url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${demo.api_key}`, "content-type": "application/json", ...init.headers }
  })

/** Calls the admin API with the demo's token, and answers `data`; dies where it is refused. */
export const callAdmin = (demo: DemoFile, method: string, path: string, body?: object): Effect.Effect<unknown> =>
  Effect.promise(async () => {
    const answer = await fetched<{ readonly data: unknown }>(`${demo.base_url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${demo.admin_token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  })

/** Sends the demo's template to a number. */
export const sendTemplate = (demo: DemoFile, to: string, key: string): Promise<Sent> =>
  callApi(demo, "/messages", {
    method: "POST",
    headers: { "idempotency-key": key },
    body: JSON.stringify({
      channel: "whatsapp",
      to,
      type: "template",
      external_reference: key,
      message: { template: "order_shipped", language: "en", variables: ["Ada", key] }
    })
  })

/** The message as the public API shows it now. */
export const messageOf = async (demo: DemoFile, id: string): Promise<ShownMessage> =>
  (await callApi<{ readonly data: ShownMessage }>(demo, `/messages/${id}`)).body.data
