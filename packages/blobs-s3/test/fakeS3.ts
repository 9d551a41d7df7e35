import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { type Keys, signatureProblem } from "./signatureProblem.js"

const leastPart = 5 * 1_024 * 1_024

/** An object in the bucket. */
interface Stored {
  readonly bytes: Buffer
  readonly contentType: string | undefined
}

/** An HTTP server for one bucket that checks signatures, hashes and parts as strictly as S3. */
export interface FakeS3 {
  readonly url: string
  readonly bucket: string
  /** Objects by full key. */
  readonly objects: Map<string, Stored>
  /** Uploads that are neither completed nor aborted. */
  readonly uploads: Map<string, { readonly contentType: string | undefined; readonly parts: Map<number, Buffer> }>
  /** Requests so far, for example `PUT /bucket/key`. */
  readonly requests: Array<string>
  /** Requests that match get no answer. */
  unanswered: RegExp | null
  /** Responses to requests that match stop in the middle of the body. */
  halfAnswered: RegExp | null
  /** Failure response to requests that match `when`, at most `times` times. */
  failure: { readonly status: number; readonly code: string; readonly when: RegExp; times: number } | null
}

interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | number }
  readonly content: string | Buffer
}

export const fakeS3 = (bucket: string, keys: Keys): Effect.Effect<FakeS3, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      try {
        for await (const chunk of request) chunks.push(chunk)
      } catch {
        // The client disconnected.
        return
      }
      const { content, headers, status } = answerTo(fake, request, Buffer.concat(chunks), keys)
      const line = fake.requests.at(-1) ?? ""
      if (fake.unanswered?.test(line) === true) return
      response.writeHead(status, { "content-length": Buffer.byteLength(content), ...headers })
      if (fake.halfAnswered?.test(line) === true) {
        response.write(content.slice(0, content.length / 2))
        return
      }
      response.end(request.method === "HEAD" ? undefined : content)
    })
    yield* listening(server)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const fake: FakeS3 = {
      url,
      bucket,
      objects: new Map(),
      uploads: new Map(),
      requests: [],
      unanswered: null,
      halfAnswered: null,
      failure: null
    }
    return fake
  })

const listening = (server: Server): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

const answered = (status: number, content: string | Buffer = "", headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  content
})
const refused = (status: number, code: string): Answer =>
  answered(status, `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { "content-type": "application/xml" })

const answerTo = (fake: FakeS3, request: IncomingMessage, body: Buffer, keys: Keys): Answer => {
  const requests = `${request.method} ${request.url}`
  fake.requests.push(requests)
  const url = new URL(request.url ?? "", fake.url)
  const problem = signatureProblem(request, url, body, keys)
  if (problem !== null) return refused(403, problem)
  const { failure } = fake
  if (failure !== null && failure.times > 0 && failure.when.test(requests)) {
    failure.times -= 1
    return refused(failure.status, failure.code)
  }
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/")
  const key = rest.join("/")
  if (bucket !== fake.bucket) return refused(404, "NoSuchBucket")
  if (key === "") return refused(400, "InvalidRequest")
  const isUpload = url.searchParams.has("uploads") || url.searchParams.has("uploadId")
  return (isUpload ? answerToUpload : answerToObject)(fake, request, url.searchParams, key, body)
}

const answerToObject = (
  fake: FakeS3,
  { headers, method }: IncomingMessage,
  _query: URLSearchParams,
  key: string,
  body: Buffer
): Answer => {
  if (method === "PUT") {
    fake.objects.set(key, { bytes: body, contentType: headers["content-type"] })
    return answered(200, "", { etag: etagOf(body) })
  }
  if (method === "DELETE") {
    fake.objects.delete(key)
    return answered(204)
  }
  if (method !== "GET" && method !== "HEAD") return refused(405, "MethodNotAllowed")
  const object = fake.objects.get(key)
  if (object === undefined) return refused(404, "NoSuchKey")
  const { bytes, contentType = "binary/octet-stream" } = object
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? []
  if (first !== undefined && last !== undefined) {
    const part = bytes.subarray(Number(first), Number(last) + 1)
    return answered(206, part, {
      "content-length": part.length,
      "content-range": `bytes ${first}-${last}/${bytes.length}`,
      "content-type": contentType
    })
  }
  return answered(200, bytes, { "content-length": bytes.length, "content-type": contentType })
}

const answerToUpload = (
  fake: FakeS3,
  { headers, method }: IncomingMessage,
  query: URLSearchParams,
  key: string,
  body: Buffer
): Answer => {
  if (method === "POST" && query.has("uploads")) {
    const id = `upload-${fake.requests.length}`
    fake.uploads.set(id, { contentType: headers["content-type"], parts: new Map() })
    return answered(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  const id = query.get("uploadId") ?? ""
  const upload = fake.uploads.get(id)
  if (upload === undefined) return refused(404, "NoSuchUpload")
  if (method === "PUT") {
    const number = Number(query.get("partNumber"))
    if (!(number >= 1 && number <= 10_000)) return refused(400, "InvalidArgument")
    upload.parts.set(number, body)
    return answered(200, "", { etag: etagOf(body) })
  }
  if (method === "DELETE") {
    fake.uploads.delete(id)
    return answered(204)
  }
  if (method !== "POST") return refused(405, "MethodNotAllowed")
  const parts: Array<Buffer> = []
  let last = 0
  for (const [element] of body.toString().matchAll(/<Part>.*?<\/Part>/g)) {
    const number = Number(/<PartNumber>(\d+)</.exec(element)?.[1])
    const part = upload.parts.get(number)
    const tag = /<ETag>([^<]+)</.exec(element)?.[1]?.replaceAll("&quot;", '"')
    if (part === undefined || tag !== etagOf(part)) return refused(400, "InvalidPart")
    if (number <= last) return refused(400, "InvalidPartOrder")
    last = number
    parts.push(part)
  }
  if (parts.length === 0) return refused(400, "MalformedXML")
  if (parts.slice(0, -1).some((part) => part.length < leastPart)) return refused(400, "EntityTooSmall")
  fake.objects.set(key, { bytes: Buffer.concat(parts), contentType: upload.contentType })
  fake.uploads.delete(id)
  return answered(200, '<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>')
}

const etagOf = (bytes: Buffer): string => `"${createHash("md5").update(bytes).digest("hex")}"`
