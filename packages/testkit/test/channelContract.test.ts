import { describe, expect, it } from "@effect/vitest"
import { type ChannelProvider, FileGone, ProviderUnavailable } from "@parley/core"
import { Effect, Exit, Stream } from "effect"
import { courierFixture } from "../../../docs/examples/write-a-provider/test/courierFixture.js"
import { isLacking } from "../src/channels/ContractCase.js"
import { channelCases, proxyPage, VendorEvent } from "../src/channels/index.js"
import { breaks } from "./brokenProviders.js"

const timeout = 60_000

/** The names of the cases that fail for a provider derived from the correct one. */
const failedBy = (broken: (provider: ChannelProvider) => ChannelProvider) => {
  const cases = channelCases({ ...courierFixture, provider: (vendor) => broken(courierFixture.provider(vendor)) })
  return Effect.map(
    Effect.forEach(
      cases,
      ({ name, run }) => Effect.map(Effect.exit(Effect.scoped(run)), (exit) => (Exit.isSuccess(exit) ? [] : [name])),
      { concurrency: 4 }
    ),
    (names) => names.flat()
  )
}

it.live(
  "passes a correct provider",
  () =>
    Effect.map(
      failedBy((provider) => provider),
      (names) => expect(names).toEqual([])
    ),
  timeout
)

for (const { broken, name, noticed } of breaks) {
  it.live(
    `detects a provider that ${name}`,
    () => Effect.map(failedBy(broken), (names) => expect([...names].sort()).toEqual([...noticed].sort())),
    timeout
  )
}

it.live(
  "detects a provider that takes what was written elsewhere for a customer's message, and stores no news",
  () => {
    const { webhook } = courierFixture
    if (isLacking(webhook)) throw new Error("the courier has a webhook")
    const echo = { what: "a text of the app", type: "text", body: "Hi" } as const
    const asMessage = (event: VendorEvent) =>
      event._tag === "Action" ? VendorEvent.Message({ ...event, text: echo.body, name: "Ada" }) : event
    const cases = channelCases({
      ...courierFixture,
      webhook: {
        ...webhook,
        echoes: [echo],
        news: ["a restriction"],
        request: (account, events, layout) => webhook.request(account, events.map(asMessage), layout)
      }
    })
    const about = cases.filter(({ name }) => /elsewhere|news/.test(name))
    return Effect.map(
      Effect.forEach(about, ({ name, run }) =>
        Effect.map(Effect.exit(Effect.scoped(run)), (exit) => [name, exit._tag])
      ),
      (ran) =>
        expect(ran).toEqual([
          ["reports a text of the app as written elsewhere", "Failure"],
          ["mirrors every message that was written elsewhere, once", "Failure"],
          ["reports news of the account as a notice, equal when it is delivered again", "Failure"]
        ])
    )
  },
  timeout
)

describe("a provider that brings customers' files", () => {
  const bytes = new Uint8Array(1_000).fill(7)
  const page = new TextEncoder().encode(proxyPage)

  /** The cases of a provider that makes files of the vendor's responses like this. */
  const failedCases = (
    filesOf: (status: number, body: Uint8Array) => ReturnType<NonNullable<ChannelProvider["fetchFile"]>>
  ) => {
    const statuses: Array<number> = []
    const cases = channelCases({
      ...courierFixture,
      provider: (vendor) => ({
        ...courierFixture.provider(vendor),
        fetchFile: () => {
          const status = statuses.shift() ?? 200
          return filesOf(status, status === 200 ? bytes : page)
        }
      }),
      customersFile: () => ({
        reference: "file-1",
        bytes,
        failsWith: (status) => {
          statuses.push(status)
        }
      })
    })
    const about = cases.filter(({ name }) => /file/.test(name))
    return Effect.map(
      Effect.forEach(about, ({ name, run }) =>
        Effect.map(Effect.exit(Effect.scoped(run)), (exit) => (Exit.isSuccess(exit) ? [] : [name]))
      ),
      (names) => names.flat()
    )
  }
  const fileOf = (body: Uint8Array) => Effect.succeed({ contentType: null, fileName: null, bytes: Stream.make(body) })
  const errorOf = (status: number) =>
    status === 404 ? new FileGone({ reason: "status 404" }) : new ProviderUnavailable({ reason: `status ${status}` })

  it.live("passes if it fails for error pages", () =>
    Effect.gen(function* () {
      const failed = yield* failedCases((status, body) => (status === 200 ? fileOf(body) : errorOf(status)))
      expect(failed).toEqual([])
    })
  )

  it.live("is detected if it keeps error pages, cuts files, or takes each failure for a file that is gone", () =>
    Effect.gen(function* () {
      const keptPage = "keeps no error page as a customer's file"
      expect(yield* failedCases((_, body) => fileOf(body))).toEqual([keptPage])
      expect(yield* failedCases((status, body) => (status === 200 ? fileOf(body.slice(1)) : errorOf(status)))).toEqual([
        "brings a customer's file whole"
      ])
      expect(yield* failedCases((status, body) => (status === 200 ? fileOf(body) : errorOf(404)))).toEqual([keptPage])
    })
  )

  it.live("is detected if the fixture has no file", () => {
    const cases = channelCases({
      ...courierFixture,
      provider: (vendor) => ({ ...courierFixture.provider(vendor), fetchFile: () => fileOf(bytes) })
    })
    const declared = cases.find(({ name }) => name === "has a fetchFile exactly if the fixture has a customer's file")
    return Effect.map(Effect.exit(Effect.scoped(declared?.run ?? Effect.void)), ({ _tag }) =>
      expect(_tag).toBe("Failure")
    )
  })
})

it("names each case once, and gives a reason for skipped ones", () => {
  const cases = channelCases(courierFixture)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  expect(cases.filter(({ lacks }) => lacks === "")).toEqual([])
  expect(cases.flatMap(({ lacks, name }) => (lacks === null ? [] : [`${name}: ${lacks}`]))).toContain(
    "sends a template once: Courier has no templates"
  )
})
