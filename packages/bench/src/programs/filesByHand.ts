import { randomUUID } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { stat } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { answerOrders, settingOf } from "./answerOrders.js"

/** Where files are kept, and the vendor. */
export interface FilesByHandSetting {
  readonly folder: string
  readonly vendor: string
  readonly phoneNumberId: string
  readonly accessToken: string
}

const { accessToken, folder, phoneNumberId, vendor } = settingOf<FilesByHandSetting>()
const headers = { authorization: `Bearer ${accessToken}`, "user-agent": "by-hand" }
const api = `${vendor}/v23.0`

const answered = async (response: Response): Promise<any> => {
  if (!response.ok) throw new Error(`the vendor answered ${response.status}`)
  return response.json()
}

/** Keeps a file, uploads it and sends it. */
const send = async (request: IncomingMessage) => {
  const file = join(folder, randomUUID())
  await pipeline(request, createWriteStream(file, { flush: true }))
  const { size } = await stat(file)
  const head = Buffer.from(
    `--edge\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n`
  )
  const end = Buffer.from("\r\n--edge--\r\n")
  async function* form() {
    yield head
    yield* createReadStream(file)
    yield end
  }
  const upload = await fetch(`${api}/${phoneNumberId}/media`, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "multipart/form-data; boundary=edge",
      "content-length": `${head.length + size + end.length}`
    },
    body: Readable.toWeb(Readable.from(form())) as ReadableStream,
    duplex: "half"
  })
  const { id } = await answered(upload)
  const body = JSON.stringify({ document: { id } })
  await answered(await fetch(`${api}/${phoneNumberId}/messages`, { method: "POST", headers, body }))
}

/** Keeps the file of a customer's message. */
const receive = async (request: IncomingMessage) => {
  const { url } = await answered(await fetch(`${api}/${await text(request)}`, { headers }))
  const { body } = await fetch(url, { headers })
  await pipeline(Readable.fromWeb(body as never), createWriteStream(join(folder, randomUUID()), { flush: true }))
}

const server = createServer((request, response) => {
  const work = request.url === "/send" ? send(request) : receive(request)
  work.then(
    () => response.end(),
    (error) => response.writeHead(500).end(String(error))
  )
})
server.listen(0, "127.0.0.1", () => {
  answerOrders(async () => null, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
