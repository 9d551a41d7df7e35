import assert from "node:assert/strict"
import { type Problems, problemsOf } from "@parley/core"
import { Effect, Either, JSONSchema, ParseResult, Schema } from "effect"
import { type Account, type ChannelFixture, lacks, unreachableUrl } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase, requiredCase } from "./ContractCase.js"
import { accepted, now, type Opened, opened } from "./opened.js"

/** Settings of connections: `config` and `credentials`. */
export const settingsCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { requiredConfig, requiredCredentials } = fixture.settings
  const required = [
    ...requiredConfig.map((path) => ["config", ...path.split(".")]),
    ...requiredCredentials.map((path) => ["credentials", ...path.split(".")])
  ]
  const some = required.length > 0 ? required : lacks("no setting is required")
  return [
    requiredCase(
      "decodes and encodes the settings of a connection without a change",
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        for (const account of [world.account, world.other]) {
          const given = settingsOf(account)
          const { value, problems } = read(world, given)
          assert.deepEqual(problems, {})
          for (const part of ["config", "credentials"] as const) {
            for (const [field, text] of Object.entries(given[part])) assert.deepEqual(value?.[part][field], text)
          }
          assert.deepEqual(value && read(world, value), { value, problems: {} })
        }
      })
    ),
    conditionalCase("reports a missing setting at its field", some, (paths) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        for (const path of paths) {
          const { problems } = read(world, withValue(settingsOf(world.account), path, undefined))
          assert.deepEqual(Object.keys(problems), [path.join(".")])
        }
      })
    ),
    conditionalCase("reports a wrong setting at its field, without its value", some, (paths) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        for (const path of paths) {
          const { problems } = read(world, withValue(settingsOf(world.account), path, ["repeated", { repeated: 1 }]))
          assert.deepEqual(Object.keys(problems), [path.join(".")])
          assert.doesNotMatch(JSON.stringify(problems), /repeated/)
        }
      })
    ),
    conditionalCase(
      "sends to a connection's api_url if the host allows it, and nowhere else",
      fixture.apiUrl ?? lacks("connections have no api_url"),
      (apiUrl) =>
        Effect.gen(function* () {
          const { account, aText, taken, vendor } = yield* opened(fixture)
          const { url, provider } = apiUrl(vendor)
          const sendAt = (config: Part) =>
            provider.send(
              { ...account.connection, config: { ...account.connection.config, ...config } },
              account.credentials,
              aText,
              now
            )
          accepted(yield* sendAt({ api_url: url }))
          assert.equal(taken().length, 1)
          assert.notEqual((yield* sendAt({}))._tag, "Accepted")
          const refused = yield* sendAt({ api_url: `${unreachableUrl}0` })
          assert.ok(refused._tag === "Rejected" && refused.scope === "connection", JSON.stringify(refused))
          assert.match(refused.providerMessage, /api_url/)
          assert.equal(taken().length, 1)
        })
    ),
    requiredCase(
      "describes its settings",
      Effect.gen(function* () {
        const { provider } = yield* opened(fixture)
        for (const schema of [provider.config, provider.credentials]) assert.ok(JSONSchema.make(schema))
      })
    )
  ]
}

type Part = { readonly [field: string]: unknown }
interface Settings {
  readonly config: Part
  readonly credentials: Part
}

/** Input of the schemas: missing credentials are an empty object. */
const settingsOf = ({ connection: { config }, credentials }: Account): Settings => ({
  config,
  credentials: credentials ?? {}
})

/** The settings decoded and encoded again, or the problems. */
const read = (
  { provider: { config, credentials } }: Opened<unknown>,
  given: Settings
): { readonly value?: Settings; readonly problems: Problems } => {
  const whole = Schema.Struct({ config, credentials })
  return ParseResult.decodeUnknownEither(whole, { errors: "all" })(given).pipe(
    Either.flatMap(ParseResult.encodeEither(whole)),
    Either.match({
      onLeft: (issue) => ({ problems: problemsOf(issue) }),
      onRight: (value) => ({ value: value as Settings, problems: {} })
    })
  )
}

/** Settings with another value at a path; undefined removes the value. */
const withValue = (settings: Settings, path: ReadonlyArray<string>, value: unknown): Settings => {
  const [first = "", ...others] = path
  const put = (part: Part, [field = "", ...inner]: ReadonlyArray<string>): Part => {
    const { [field]: present, ...rest } = part
    if (inner.length > 0) return { ...rest, [field]: put(present as Part, inner) }
    return value === undefined ? rest : { ...rest, [field]: value }
  }
  return { ...settings, [first]: put(first === "config" ? settings.config : settings.credentials, others) }
}
