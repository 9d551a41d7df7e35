import assert from "node:assert/strict"
import type { ProviderRequest } from "@parley/core"
import { Effect, FastCheck } from "effect"
import type { ChannelFixture, WebhookFixture } from "./ChannelFixture.js"
import type { ContractCase } from "./ContractCase.js"
import { now } from "./opened.js"
import { anyWebhook, type CalledWebhook, webhookCase } from "./webhookCase.js"

/** A webhook accepts only requests of the vendor, verified by raw bytes. */
export const signatureCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const about = <Facet>(
    name: string,
    facet: Parameters<typeof webhookCase<Vendor, Facet>>[2],
    check: (called: CalledWebhook<Vendor>, facet: Facet) => void
  ) => webhookCase(fixture, name, facet, (called, facet) => Effect.sync(() => check(called, facet)))

  return [
    about("lets in what its vendor signed", anyWebhook, ({ message, request, verify }) => {
      assert.ok(verify(request([message(1)])))
    }),
    about("lets in what its vendor signed for another connection, there only", anyWebhook, (called) => {
      const { message, other, provider, request, verify } = called
      assert.ok(verify(request([message(1)])))
      const foreign = request([message(1)], null, other)
      // A provider that kept the secrets of the first connection would refuse this.
      assert.equal(provider.webhook?.verify(other.connection, other.credentials, foreign, now), true)
    }),
    about("refuses a request without a signature", anyWebhook, ({ message, request, verify }, { proof }) => {
      for (const value of [undefined, ""]) assert.ok(!verify(withProof(request([message(1)]), proof, value)))
    }),
    about("refuses a truncated signature", anyWebhook, ({ message, request, verify }, { proof }) => {
      const signed = request([message(1)])
      const whole = proofOf(signed, proof)
      for (let length = 1; length < whole.length; length++) {
        assert.ok(!verify(withProof(signed, proof, whole.slice(0, length))), `${length} of ${whole.length} characters`)
      }
    }),
    about("refuses any other signature", anyWebhook, ({ message, request, verify }, { proof }) => {
      const signed = request([message(1)])
      const whole = proofOf(signed, proof)
      const others = FastCheck.oneof(FastCheck.string({ unit: "binary" }), altered([...whole]))
      FastCheck.assert(
        // Hexadecimal digits may be upper-case.
        FastCheck.property(others, (text) => sameLetters(text, whole) || !verify(withProof(signed, proof, text))),
        { seed: 1, examples: [[`${whole}${whole}`], [whole.replace(/[0-9a-z]/gi, "0")]] }
      )
    }),
    about(
      "refuses a body with one altered byte",
      (webhook) => (webhook.provesBody === true ? webhook : webhook.provesBody),
      ({ message, request, verify }) => {
        const signed = request([message(1)])
        const places = FastCheck.tuple(FastCheck.nat(signed.body.length - 1), FastCheck.integer({ min: 1, max: 255 }))
        FastCheck.assert(
          FastCheck.property(places, ([at, by]) => {
            const body = signed.body.map((byte, place) => (place === at ? byte ^ by : byte))
            return !verify({ ...signed, body })
          }),
          { seed: 1 }
        )
        for (const body of [new Uint8Array(), signed.body.subarray(1), Uint8Array.of(...signed.body, 0x20)]) {
          assert.ok(!verify({ ...signed, body }))
        }
      }
    ),
    about("refuses a signature by another connection's secrets", anyWebhook, (called) => {
      const { account, message, other, request, verify } = called
      assert.ok(!verify(request([message(1)], null, other)))
      assert.ok(!verify(request([message(1)], null, { ...account, credentials: other.credentials })))
    })
  ]
}

type Proof = WebhookFixture["proof"]

const proofOf = ({ headers, query }: ProviderRequest, proof: Proof): string => {
  const value = "header" in proof ? headers[proof.header] : query[proof.query]
  assert.ok(value, "the fixture's request has no signature where it says")
  return value
}

const withProof = (request: ProviderRequest, proof: Proof, value: string | undefined): ProviderRequest =>
  "header" in proof
    ? { ...request, headers: { ...request.headers, [proof.header]: value } }
    : { ...request, query: { ...request.query, [proof.query]: value } }

const sameLetters = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** A text with one replaced character. */
const altered = (characters: ReadonlyArray<string>): FastCheck.Arbitrary<string> =>
  FastCheck.tuple(
    FastCheck.nat(characters.length - 1),
    FastCheck.string({ unit: "binary", minLength: 1, maxLength: 1 })
  ).map(([at, character]) => characters.map((one, place) => (place === at ? character : one)).join(""))
