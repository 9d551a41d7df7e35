import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { keepPayload } from "../floor/keepPayload.js"
import type { Store } from "../world/Store.js"
import { isSigned } from "../world/whatsappTraffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface InboundByHandSetting {
  readonly store: Store
}

const keep = await keepPayload(settingOf<InboundByHandSetting>().store)

/** Status of the response. */
const take = async (body: Buffer, signature: string | ReadonlyArray<string> | undefined): Promise<number> => {
  if (!isSigned(body, signature)) return 401
  const payload = body.toString("utf8")
  await keep(JSON.parse(payload).entry[0].changes[0].value.messages[0].id, payload)
  return 200
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    take(Buffer.concat(chunks), request.headers["x-hub-signature-256"]).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end()
    )
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

answerOrders<never>(() => Promise.resolve(null), `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
