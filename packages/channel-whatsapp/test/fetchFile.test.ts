import { FetchHttpClient, HttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream, TestClock } from "effect"
import { business, opened } from "./opened.js"

const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)

const withFile = (options?: Parameters<typeof opened>[0]) =>
  Effect.map(opened(options), (world) => {
    world.vendor.files.set("1013859600285441", { contentType: "image/jpeg", bytes })
    const { connection, credentials } = world.account
    return { ...world, fetch: (id: string) => world.provider.fetchFile(connection, credentials, id) }
  })

describe("fetchFile", () => {
  it.scopedLive("returns a file with its type", () =>
    Effect.gen(function* () {
      const { fetch } = yield* withFile()
      const file = yield* fetch("1013859600285441")
      expect([file.contentType, file.fileName]).toEqual(["image/jpeg", null])
      expect(Buffer.concat([...(yield* Stream.runCollect(file.bytes))])).toEqual(Buffer.from(bytes))
    })
  )

  it.scopedLive("distinguishes a missing file from a temporary failure", () =>
    Effect.gen(function* () {
      const { fetch, vendor } = yield* withFile()
      const failures: Array<string> = []
      const fails = (id: string) =>
        Effect.map(Effect.flip(fetch(id)), ({ _tag, reason }) => failures.push(`${_tag}: ${reason}`))
      yield* fails("999")
      yield* fails("../me")
      vendor.refuseNext({ code: 190, status: 401, message: business.accessToken })
      yield* fails("1013859600285441")
      vendor.answerNext({ status: 200, body: { id: "1" } })
      yield* fails("1013859600285441")
      vendor.fileUrl = `${vendor.url}/files/999`
      yield* fails("1013859600285441")
      yield* Effect.promise(vendor.stop)
      yield* fails("1013859600285441")
      expect(failures.map((failure) => failure.replace(/: the connection.*/, ""))).toEqual([
        "FileGone: status 400, error 100",
        "FileGone: not a media id",
        "ProviderUnavailable: status 401, error 190",
        "ProviderUnavailable: an answer without a URL",
        "ProviderUnavailable: status 404 for the file",
        "ProviderUnavailable"
      ])
    })
  )

  for (const url of [
    "https://example.com/file",
    "http://lookaside.fbsbx.com/file",
    "https://lookaside.fbsbx.com.example.com/file",
    "https://lookaside.fbsbx.com:8443/file",
    "https://user@example.com/lookaside.fbsbx.com",
    "http://169.254.169.254/",
    "file:///etc/passwd",
    "nowhere"
  ]) {
    it.scopedLive(`does not send the token to ${url}`, () =>
      Effect.gen(function* () {
        const requests: Array<string> = []
        const spied = HttpClient.mapRequest(yield* HttpClient.HttpClient, (request) => {
          requests.push(request.url)
          return request
        })
        const { fetch, vendor } = yield* withFile({ httpClient: spied })
        vendor.fileUrl = url
        expect(yield* Effect.flip(fetch("1013859600285441"))).toMatchObject({ reason: "a URL of another host" })
        expect(requests.map((one) => new URL(one).origin)).toEqual([vendor.url])
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  }

  it.scopedLive("follows no redirect with the token", () =>
    Effect.gen(function* () {
      const { fetch, vendor } = yield* withFile()
      const elsewhere = yield* withFile()
      vendor.answerNext({ status: 200, body: { url: `${vendor.url}/files/1013859600285441` } })
      vendor.answerNext({
        status: 302,
        headers: { location: `${elsewhere.vendor.url}/files/1013859600285441` },
        body: ""
      })
      expect(yield* Effect.flip(fetch("1013859600285441"))).toMatchObject({ reason: "status 302 for the file" })
    })
  )

  it.scoped("times out after 30 s", () =>
    Effect.gen(function* () {
      const { fetch, vendor } = yield* withFile()
      vendor.ignoreNext()
      const fetching = yield* Effect.fork(Effect.flip(fetch("1013859600285441")))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(fetching)).toMatchObject({ _tag: "ProviderUnavailable", reason: "no answer in time" })
    })
  )
})
