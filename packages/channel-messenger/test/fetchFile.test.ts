import { HttpClient, HttpClientResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream, TestClock } from "effect"
import { opened } from "./opened.js"

const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)

const withFile = (options?: Parameters<typeof opened>[1]) =>
  Effect.map(opened("facebook", options), (world) => {
    world.vendor.files.set("cat.jpg", { contentType: "image/jpeg", bytes })
    const { connection, credentials } = world.account
    return {
      ...world,
      url: `${world.vendor.url}/files/cat.jpg`,
      fetch: (url: string) => world.provider.fetchFile(connection, credentials, url)
    }
  })

/** An HTTP client that returns a file for any URL and records the URLs. */
const anyHost = () => {
  const requests: Array<{ readonly url: string; readonly authorization: string | undefined }> = []
  const httpClient = HttpClient.make((request, url) => {
    requests.push({ url: url.href, authorization: request.headers.authorization })
    return Effect.succeed(HttpClientResponse.fromWeb(request, new Response("file")))
  })
  return { requests, httpClient }
}

describe("fetchFile", () => {
  it.scopedLive("returns a file with its type, and sends no token", () =>
    Effect.gen(function* () {
      const { fetch, url } = yield* withFile()
      const file = yield* fetch(url)
      expect([file.contentType, file.fileName]).toEqual(["image/jpeg", null])
      expect(Buffer.concat([...(yield* Stream.runCollect(file.bytes))])).toEqual(Buffer.from(bytes))
    })
  )

  it.scopedLive("distinguishes a missing file from a temporary failure", () =>
    Effect.gen(function* () {
      const { fetch, url, vendor } = yield* withFile()
      const failures: Array<string> = []
      for (const status of [403, 404, 410, 429, 500, 302]) {
        vendor.answerNext({ status, body: "" })
        const { _tag, reason } = yield* Effect.flip(fetch(url))
        failures.push(`${_tag}: ${reason}`)
      }
      yield* Effect.promise(vendor.stop)
      failures.push((yield* Effect.flip(fetch(url)))._tag)
      expect(failures).toEqual([
        "FileGone: status 403",
        "FileGone: status 404",
        "FileGone: status 410",
        "ProviderUnavailable: status 429",
        "ProviderUnavailable: status 500",
        "ProviderUnavailable: status 302",
        "ProviderUnavailable"
      ])
    })
  )

  for (const url of [
    "https://scontent.xx.fbcdn.net/v/cat.jpg?oh=1",
    "https://cdn.fbsbx.com/v/bill.pdf",
    "https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=1",
    "https://scontent.cdninstagram.com/cat.jpg"
  ]) {
    it.scopedLive(`asks ${new URL(url).host}`, () =>
      Effect.gen(function* () {
        const { requests, httpClient } = anyHost()
        const { fetch } = yield* withFile({ httpClient })
        yield* fetch(url)
        expect(requests).toEqual([{ url, authorization: undefined }])
      })
    )
  }

  for (const url of [
    "https://example.com/file",
    "http://scontent.xx.fbcdn.net/file",
    "https://fbcdn.net.example.com/file",
    "https://evilfbcdn.net/file",
    "https://cdn.fbsbx.com:8443/file",
    "https://cdn.fbsbx.com@example.com/file",
    "http://169.254.169.254/",
    "file:///etc/passwd",
    "nowhere"
  ]) {
    it.scopedLive(`does not ask ${url}`, () =>
      Effect.gen(function* () {
        const { requests, httpClient } = anyHost()
        const { fetch } = yield* withFile({ httpClient })
        expect(yield* Effect.flip(fetch(url))).toMatchObject({ _tag: "FileGone", reason: "a URL of another host" })
        expect(requests).toEqual([])
      })
    )
  }

  it.scopedLive("follows redirects between hosts of Meta, and to no other host", () =>
    Effect.gen(function* () {
      const { fetch, url, vendor } = yield* withFile()
      vendor.answerNext({ status: 302, headers: { location: "/files/cat.jpg" }, body: "" })
      expect((yield* fetch(url)).contentType).toBe("image/jpeg")
      vendor.answerNext({ status: 302, headers: { location: "http://169.254.169.254/" }, body: "" })
      expect(yield* Effect.flip(fetch(url))).toMatchObject({ reason: "a URL of another host" })
      for (let time = 0; time < 4; time++) vendor.answerNext({ status: 302, headers: { location: url }, body: "" })
      expect(yield* Effect.flip(fetch(url))).toMatchObject({ _tag: "ProviderUnavailable", reason: "status 302" })
    })
  )

  it.scoped("times out after 30 s", () =>
    Effect.gen(function* () {
      const { fetch, url, vendor } = yield* withFile()
      vendor.ignoreNext()
      const fetching = yield* Effect.fork(Effect.flip(fetch(url)))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(fetching)).toMatchObject({ _tag: "ProviderUnavailable", reason: "no answer in time" })
    })
  )
})
