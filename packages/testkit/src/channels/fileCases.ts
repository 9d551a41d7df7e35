import assert from "node:assert/strict"
import { Effect, Stream } from "effect"
import type { ChannelFixture, CustomersFile } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase, isLacking, requiredCase } from "./ContractCase.js"
import { arranged, type Opened, opened } from "./opened.js"

const noFiles = { lacks: "messages refer to no files" }

/** Downloads of customers' files by their references. */
export const fileCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { customersFile = noFiles } = fixture
  return [
    requiredCase(
      "has a fetchFile exactly if the fixture has a customer's file",
      Effect.map(opened(fixture), ({ provider }) =>
        assert.equal(provider.fetchFile !== undefined, !isLacking(customersFile))
      )
    ),
    conditionalCase("brings a customer's file whole", customersFile, (fileOf) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const file = fileOf(world.vendor)
        assert.ok((yield* bytesOf(world, file)).equals(Buffer.from(file.bytes)), "the bytes are not those of the file")
      })
    ),
    conditionalCase("keeps no error page as a customer's file", customersFile, (fileOf) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const file = fileOf(world.vendor)
        for (const [status, expected] of failures) {
          yield* arranged(() => file.failsWith(status))
          const failed = yield* Effect.either(bytesOf(world, file))
          assert.ok(failed._tag === "Left", `the page of a response with status ${status} is taken for the file`)
          const { _tag } = failed.left
          assert.ok(expected.includes(_tag), `${_tag} for status ${status}, not ${expected.join(" or ")}`)
        }
      })
    )
  ]
}

/** A vendor's 404 can mean that the file is gone, or that its short-lived URL is. */
const failures: ReadonlyArray<readonly [404 | 502, ReadonlyArray<string>]> = [
  [404, ["FileGone", "ProviderUnavailable"]],
  [502, ["ProviderUnavailable"]]
]

const bytesOf = <Vendor>({ account, provider }: Opened<Vendor>, { reference }: CustomersFile) =>
  Effect.suspend(() => {
    assert.ok(provider.fetchFile, "the provider has no fetchFile")
    return provider.fetchFile(account.connection, account.credentials, reference)
  }).pipe(
    Effect.flatMap(({ bytes }) => Stream.runCollect(bytes)),
    Effect.map((chunks) => Buffer.concat([...chunks]))
  )
