import { describe, expect, it } from "@effect/vitest"
import { BlobsUnavailable, type ChannelProvider, kindOf, type OutboundFile } from "@parley/core"
import { Deferred, Effect, Fiber, Stream, TestClock } from "effect"
import { aMessage, now, opened } from "./opened.js"

const aFile = (contentType: string, file: Partial<OutboundFile> = {}): OutboundFile => ({
  type: kindOf(contentType),
  contentType,
  fileName: "file.bin",
  size: 3,
  url: null,
  bytes: Stream.make(new Uint8Array([1, 2, 3])),
  ...file
})

const withSend = Effect.map(opened(), ({ account: { connection, credentials }, provider, vendor }) => ({
  vendor,
  sendTimeout: (provider as ChannelProvider).sendTimeout,
  send: (file: OutboundFile, message: Parameters<typeof aMessage>[0] = {}) =>
    provider.send(connection, credentials, aMessage({ body: "", files: [file], ...message }), now)
}))

describe("files", () => {
  for (const [contentType, method, type] of [
    ["image/jpeg", "sendPhoto", "image"],
    ["image/png", "sendPhoto", "image"],
    ["image/gif", "sendAnimation", "image"],
    ["image/webp", "sendDocument", "image"],
    ["image/svg+xml", "sendDocument", "image"],
    ["image/tiff", "sendDocument", "image"],
    ["image/heic", "sendDocument", "image"],
    ["video/mp4", "sendVideo", "video"],
    ["video/quicktime", "sendDocument", "video"],
    ["audio/mpeg", "sendAudio", "audio"],
    ["audio/mp4", "sendAudio", "audio"],
    ["audio/mpeg", "sendVoice", "voice"],
    ["audio/ogg", "sendVoice", "audio"],
    ["audio/wav", "sendDocument", "voice"],
    ["application/pdf", "sendDocument", "document"],
    ["application/vnd.ms-excel", "sendDocument", "document"]
  ] as const) {
    it.scopedLive(`of the type ${type} and ${contentType} go by ${method}`, () =>
      Effect.gen(function* () {
        const { send, vendor } = yield* withSend
        expect(yield* send(aFile(contentType, { type }))).toMatchObject({
          _tag: "Accepted",
          providerMessageId: "123456789:1000"
        })
        expect(vendor.taken.map(({ file }) => [file?.method, file?.contentType])).toEqual([[method, contentType]])
      })
    )
  }

  it.scopedLive("go with the caption, the quoted message and a name in any script", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend
      const names = ['Größe "1"\r\n🥐.pdf', null] as const
      for (const fileName of names) {
        yield* send(aFile("application/pdf", { fileName }), { body: "-- Line 1\r\nLine 2 🥐", quoted: "123456789:3" })
      }
      yield* send(aFile("application/vnd.ms-excel", { fileName: null }))
      expect(vendor.taken).toMatchObject([
        { text: "-- Line 1\r\nLine 2 🥐", quoted: 3, file: { fileName: names[0], content: new Uint8Array([1, 2, 3]) } },
        { quoted: 3, file: { fileName: "document.pdf" } },
        { text: null, quoted: null, file: { fileName: "document.bin" } }
      ])
    })
  )

  it.scopedLive("are a photo up to 10 MB, and a document above", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend
      for (const size of [10_000_000, 10_000_001, 10 * 1024 * 1024 + 1]) {
        const bytes = Stream.make(new Uint8Array(size))
        expect(yield* send(aFile("image/png", { size, bytes }))).toMatchObject({ _tag: "Accepted" })
      }
      expect(vendor.taken.map(({ file }) => file?.method)).toEqual(["sendPhoto", "sendDocument", "sendDocument"])
    })
  )

  for (const description of ["PHOTO_INVALID_DIMENSIONS", "IMAGE_PROCESS_FAILED"]) {
    it.scopedLive(`are a document once Telegram refuses the photo with ${description}`, () =>
      Effect.gen(function* () {
        const { send, vendor } = yield* withSend
        vendor.refuseNext({ code: 400, description: `Bad Request: ${description}` })
        const outcome = yield* send(aFile("image/png"), { body: "Long", quoted: "123456789:3" })
        expect(outcome).toMatchObject({ _tag: "Accepted" })
        expect(vendor.taken).toMatchObject([{ text: "Long", quoted: 3, file: { method: "sendDocument" } }])
      })
    )
  }

  it.scopedLive("are sent once otherwise", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend
      for (const [contentType, description] of [
        ["image/png", "chat not found"],
        ["video/mp4", "IMAGE_PROCESS_FAILED"]
      ] as const) {
        vendor.refuseNext({ code: 400, description: `Bad Request: ${description}` })
        expect(yield* send(aFile(contentType))).toMatchObject({ _tag: "Rejected" })
      }
      expect(vendor.taken).toEqual([])
    })
  )

  it.scopedLive("are not sent where the caption would be lost", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend
      expect(yield* send(aFile("image/png"), { body: "🥐".repeat(1_024) })).toMatchObject({ _tag: "Accepted" })
      expect(yield* send(aFile("image/png"), { body: "a".repeat(1_025) })).toEqual({
        _tag: "Rejected",
        scope: "message",
        code: "provider_error",
        providerCode: "unsupported",
        providerMessage: "The caption has 1025 characters, and Telegram takes 1024: send it as a text of its own."
      })
      expect(vendor.taken.length).toBe(1)
    })
  )

  it.scopedLive("are not sent where there are several, or one is too large", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend
      const file = aFile("image/png")
      const tooMany = yield* send(file, { files: [file, file] })
      const tooLarge = yield* send(aFile("video/mp4", { size: 50_000_001 }))
      expect([tooMany, tooLarge]).toMatchObject([
        { _tag: "Rejected", scope: "message", providerMessage: "Telegram takes one file in a message." },
        { _tag: "Rejected", scope: "message", providerMessage: expect.stringContaining("50000001 bytes") }
      ])
      expect(vendor.taken).toEqual([])
    })
  )

  const chunk = Stream.make(new Uint8Array(100_000))

  for (const [when, bytes] of [
    ["at once", Stream.fail(new BlobsUnavailable({ reason: "the store is away" }))],
    ["half way", Stream.concat(chunk, Stream.fail(new BlobsUnavailable({ reason: "the store is away" })))]
  ] as const) {
    it.scopedLive(`are tried again if their bytes fail ${when}`, () =>
      Effect.gen(function* () {
        const { send, vendor } = yield* withSend
        expect(yield* send(aFile("image/png", { bytes }))).toMatchObject({ _tag: "Transient" })
        expect(yield* send(aFile("image/png"))).toMatchObject({ _tag: "Accepted" })
        expect(vendor.taken.length).toBe(1)
      })
    )
  }

  it.scoped("are tried again after a timeout only if they did not leave completely", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend
      const after55s = (file: OutboundFile) =>
        Effect.gen(function* () {
          const sending = yield* Effect.fork(send(file))
          yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 200)))
          yield* TestClock.adjust("54 seconds")
          expect(yield* Fiber.poll(sending)).toMatchObject({ _tag: "None" })
          yield* TestClock.adjust("1 second")
          return yield* Fiber.join(sending)
        })
      expect(yield* after55s(aFile("image/png", { bytes: Stream.concat(chunk, Stream.never) }))).toMatchObject({
        _tag: "Transient",
        reason: "no answer in time"
      })
      vendor.ignoreNext()
      expect(yield* after55s(aFile("image/png"))).toMatchObject({ _tag: "Unknown" })
      expect(vendor.taken).toEqual([])
    })
  )

  it.scoped("are tried again after a timeout of the second upload, which the engine waits for", () =>
    Effect.gen(function* () {
      const { sendTimeout, send, vendor } = yield* withSend
      vendor.refuseNext({ code: 400, description: "Bad Request: IMAGE_PROCESS_FAILED" })
      const again = yield* Deferred.make<void>()
      let uploads = 0
      const bytes = Stream.suspend(() => {
        uploads += 1
        if (uploads === 1) return chunk
        Deferred.unsafeDone(again, Effect.void)
        return Stream.concat(chunk, Stream.never)
      })
      const sending = yield* Effect.fork(send(aFile("image/png", { bytes })))
      yield* Deferred.await(again)
      yield* TestClock.adjust("55 seconds")
      expect(yield* Fiber.join(sending)).toMatchObject({ _tag: "Transient" })
      expect(sendTimeout).toBeGreaterThan(2 * 55_000)
    })
  )

  it.scopedLive("are not sent again if the answer was lost", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend
      vendor.cutNext()
      expect(yield* send(aFile("image/png"))).toMatchObject({ _tag: "Unknown" })
    })
  )

  it.scopedLive("are refused by Telegram for good where they are too large or empty", () =>
    Effect.gen(function* () {
      const { send } = yield* withSend
      const large = aFile("video/mp4", { bytes: Stream.make(new Uint8Array(50 * 1024 * 1024 + 1)) })
      for (const [file, providerCode] of [
        [large, "413"],
        [aFile("video/mp4", { bytes: Stream.empty }), "400"]
      ] as const) {
        expect(yield* send(file)).toMatchObject({ _tag: "Rejected", scope: "message", providerCode })
      }
      const allowed = aFile("video/mp4", { size: 50_000_000, bytes: Stream.make(new Uint8Array(50_000_000)) })
      expect(yield* send(allowed, { body: "a".repeat(1_024) })).toMatchObject({ _tag: "Accepted" })
    })
  )
})
