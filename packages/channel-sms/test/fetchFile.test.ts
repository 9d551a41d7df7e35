import { expect, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { describe } from "vitest"
import { opened, twilioAccount } from "./opened.js"

const path = "/Messages/MM1/Media/ME1"
const bytes = new Uint8Array([1, 2, 3])

describe("a customer's file", () => {
  it.scopedLive("is fetched with the account's credentials, which do not follow the redirect", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.files.set(path, { contentType: "image/png", bytes })
      const url = `${vendor.url}/2010-04-01/Accounts/${twilioAccount.accountSid}${path}`
      const file = yield* provider.fetchFile(account.connection, account.credentials, url)
      expect(file.contentType).toBe("image/png")
      const chunks = yield* Stream.runCollect(file.bytes)
      expect(Chunk.toReadonlyArray(chunks).flatMap((chunk) => [...chunk])).toEqual([1, 2, 3])
    })
  )
  it.scopedLive("is gone at another host, for another account, and once Twilio deleted it", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const own = `${vendor.url}/2010-04-01/Accounts/${twilioAccount.accountSid}`
      const urls = [
        "https://media.twiliocdn.com/x",
        `https://evil.example/2010-04-01/Accounts/${twilioAccount.accountSid}/x`,
        `${vendor.url}/2010-04-01/Accounts/AC${"9".repeat(32)}/x`,
        "not a URL",
        `${own}/Messages/MM1/Media/deleted`
      ]
      for (const url of urls) {
        const failure = yield* Effect.flip(provider.fetchFile(account.connection, account.credentials, url))
        expect([url, failure._tag]).toEqual([url, "FileGone"])
      }
      expect(vendor.taken).toEqual([])
    })
  )
  it.scopedLive("is not fetched from where Twilio never redirects to", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const url = `${vendor.url}/2010-04-01/Accounts/${twilioAccount.accountSid}${path}`
      vendor.answerNext({ status: 307, headers: { location: "http://169.254.169.254/latest" }, body: "" })
      expect(yield* Effect.flip(provider.fetchFile(account.connection, account.credentials, url))).toMatchObject({
        _tag: "FileGone",
        reason: "a URL of another host"
      })
      vendor.answerNext({ status: 500, body: "" })
      expect(yield* Effect.flip(provider.fetchFile(account.connection, account.credentials, url))).toMatchObject({
        _tag: "ProviderUnavailable"
      })
    })
  )
})
