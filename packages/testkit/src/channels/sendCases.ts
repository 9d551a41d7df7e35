import assert from "node:assert/strict"
import { Effect } from "effect"
import type { Account, ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase, isLacking, requiredCase } from "./ContractCase.js"
import { accepted, arranged, messageId, now, opened } from "./opened.js"

/** Outcomes of sends to a vendor that accepts, or is unreachable. */
export const sendCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { sends, handles } = fixture
  const [{ vendor: to }] = handles.good
  return [
    conditionalCase("sends a text once, unchanged", sends.taken, () =>
      Effect.gen(function* () {
        const { send, taken } = yield* opened(fixture)
        const text = '  Grüße, "Ada" 🥐\n<b>\\n</b> {{1}} & %s '
        accepted(yield* send({ body: text }))
        assert.deepEqual(taken(), [{ to, text }])
      })
    ),
    requiredCase(
      "returns a distinct id for each message",
      Effect.gen(function* () {
        const { send } = yield* opened(fixture)
        const first = accepted(yield* send({ id: messageId(1) }))
        const second = accepted(yield* send({ id: messageId(2) }))
        assert.notEqual(first, second, "two messages have one provider's id")
      })
    ),
    conditionalCase("sends a template once", sends.template, ({ template, body }) =>
      Effect.gen(function* () {
        const { send, taken } = yield* opened(fixture)
        accepted(yield* send({ template, body }))
        if (isLacking(sends.taken)) return
        const [first, ...more] = taken()
        assert.deepEqual([first?.to, more], [to, []])
        if (first?.text !== null) assert.equal(first?.text, body)
      })
    ),
    conditionalCase("sends a message once if it is submitted twice", sends.dedupes, () =>
      Effect.gen(function* () {
        const { provider, send, taken } = yield* opened(fixture)
        assert.ok(provider.dedupes, "the provider does not say that it dedupes")
        const first = accepted(yield* send({ attempt: 1 }))
        assert.equal(accepted(yield* send({ attempt: 2 })), first, "one message has two provider's ids")
        assert.ok(taken().length <= 1, "the vendor took a message twice")
      })
    ),
    requiredCase(
      "declares that it dedupes only if the vendor does",
      Effect.map(opened(fixture), ({ provider }) =>
        assert.equal(
          provider.dedupes,
          !isLacking(sends.dedupes),
          "`dedupes` of the provider and `sends.dedupes` of the fixture differ. With `dedupes`, the engine sends again after Unknown."
        )
      )
    ),
    conditionalCase("sends with the settings that it is given", sends.taken, () =>
      Effect.gen(function* () {
        const { account, aText, other, provider, send, taken } = yield* opened(fixture)
        accepted(yield* send())
        const text = { ...aText, id: messageId(2) }
        accepted(yield* provider.send(other.connection, other.credentials, text, now))
        if (account.secrets.length === 0) return
        const before = taken().length
        // A provider that kept the settings of the first send would send as the wrong business.
        const { _tag } = yield* send({ id: messageId(3) }, withOtherSecrets(account))
        assert.notEqual(_tag, "Accepted", "sent with other credentials than those that it was given")
        assert.equal(taken().length, before)
      })
    ),
    conditionalCase("reports that nothing was sent if the vendor is unreachable", sends.unreachable, (unreachable) =>
      Effect.gen(function* () {
        const { send, vendor } = yield* opened(fixture)
        yield* arranged(() => unreachable(vendor))
        assert.equal((yield* send())._tag, "Transient")
      })
    ),
    conditionalCase("reports Unknown if the response is lost", sends.cutOff, (cutOff) =>
      Effect.gen(function* () {
        const { send, vendor } = yield* opened(fixture)
        yield* arranged(() => cutOff(vendor))
        assert.equal((yield* send())._tag, "Unknown")
      })
    ),
    conditionalCase("reports Unknown if the response cannot be read", sends.garbled, (garbled) =>
      Effect.gen(function* () {
        const { send, vendor } = yield* opened(fixture)
        for (const status of [200, 502] as const) {
          yield* arranged(() => garbled(vendor, status))
          const { _tag } = yield* send({ id: messageId(status) })
          assert.equal(_tag, "Unknown", `status ${status} with another body: the message may have been sent`)
        }
      })
    )
  ]
}

/** The credentials of an account with secrets that its vendor does not know. */
const withOtherSecrets = ({ credentials, secrets }: Account): Account["credentials"] =>
  secrets.reduce(
    (changed, secret) =>
      JSON.parse(JSON.stringify(changed).replaceAll(JSON.stringify(secret), `"${secret.length}-other"`)),
    credentials
  )
