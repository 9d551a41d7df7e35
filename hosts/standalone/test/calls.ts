import { Effect } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"

/** An answer of the server, whatever its status. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

const fetched = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
}

/** Calls the public API with the demo's key. */
export const callApi = (demo: DemoFile, path: string, init: RequestInit = {}): Promise<Answer> =>
  fetched(`${demo.base_url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${demo.api_key}`, "content-type": "application/json", ...init.headers }
  })

/** Calls the admin API with the demo's token, and answers `data`. */
export const callAdmin = (demo: DemoFile, method: string, path: string, body?: object): Effect.Effect<any> =>
  Effect.promise(async () => {
    const answer = await fetched(`${demo.base_url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${demo.admin_token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  })

/** Sends the demo's template to a number. */
export const sendTemplate = (demo: DemoFile, to: string, key: string): Promise<Answer> =>
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
export const messageOf = async (demo: DemoFile, id: string): Promise<any> =>
  (await callApi(demo, `/messages/${id}`)).body.data
