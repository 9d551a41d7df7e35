import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** Size of every file, in bytes. */
export const fileBytes = 16 * 2 ** 20

const chunk = Buffer.alloc(65_536, 0x61)

/** Bytes of a file that no process holds whole. */
export async function* fileContent(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < fileBytes; sent += chunk.length) yield chunk
}

/** The fake of Meta's Graph API for files. */
export interface FilesVendor {
  readonly origin: string
  readonly stop: () => void
}

/**
 * Meta's Graph API for messages with files, to and from one number: it refuses other tokens, uploads without a length
 * or of another size, and messages with unknown media ids. Every other media id is a customer's file.
 */
export const filesVendor = async (phoneNumberId: string, accessToken: string): Promise<FilesVendor> => {
  const uploaded = new Set<string>()
  const prefix = `/v23.0/${phoneNumberId}`

  const uploadOf = async (request: IncomingMessage) => {
    let size = 0
    for await (const part of request) size += part.length
    const length = Number(request.headers["content-length"])
    if (size !== length || size < fileBytes || size > fileBytes + 4_096) return refused(400, 131053)
    const id = String(100_000 + uploaded.size)
    uploaded.add(id)
    return { status: 200, body: { id } }
  }

  const messageOf = async (request: IncomingMessage) => {
    const { document } = JSON.parse(await text(request))
    return uploaded.has(document?.id)
      ? { status: 200, body: { messages: [{ id: `wamid.${crypto.randomUUID()}` }] } }
      : refused(400, 100)
  }

  const stream = async (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": fileBytes })
    for await (const part of fileContent()) if (!response.write(part)) await once(response, "drain")
    response.end()
  }

  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0] ?? ""
    const isCaller = request.headers.authorization === `Bearer ${accessToken}`
    if (isCaller && path.startsWith("/files/") && request.headers["user-agent"] !== undefined) return stream(response)
    const answer = !isCaller
      ? refused(401, 190)
      : path === `${prefix}/media`
        ? await uploadOf(request)
        : path === `${prefix}/messages`
          ? await messageOf(request)
          : { status: 200, body: { url: `${origin}/files/${path.split("/").at(-1)}`, mime_type: "text/plain" } }
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(JSON.stringify(answer.body))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, stop: () => server.close() }
}

const refused = (status: number, code: number) => ({ status, body: { error: { message: `(#${code})`, code } } })
