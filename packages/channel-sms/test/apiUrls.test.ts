import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { sms } from "../src/index.js"
import { aMessage, now, opened } from "./opened.js"

it.scopedLive("a connection sends to its api_url if the host allows it, and nowhere else", () =>
  Effect.gen(function* () {
    const { account, vendor } = yield* opened()
    const { connection, credentials } = account
    const at = (api_url: string) => ({ ...connection, config: { ...connection.config, api_url } })
    const provider = sms({ apiUrl: "http://127.0.0.1:9", apiUrls: [vendor.url] })
    const outcome = yield* provider.send(at(vendor.url), credentials, aMessage(), now)
    expect(outcome).toMatchObject({ _tag: "Accepted" })
    expect(vendor.taken).toHaveLength(1)
    expect((yield* provider.send(connection, credentials, aMessage(), now))._tag).not.toBe("Accepted")
    expect(yield* provider.send(at("http://127.0.0.1:10"), credentials, aMessage(), now)).toMatchObject({
      _tag: "Rejected",
      scope: "connection",
      providerMessage: expect.stringContaining("api_url")
    })
    expect(vendor.taken).toHaveLength(1)
  })
)
