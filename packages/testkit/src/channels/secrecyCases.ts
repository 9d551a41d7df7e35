import assert from "node:assert/strict"
import { Effect } from "effect"
import type { ChannelFixture, DocumentedError } from "./ChannelFixture.js"
import { type ContractCase, isLacking, requiredCase } from "./ContractCase.js"
import { captureOutput } from "./captureOutput.js"
import { customerMessage } from "./customerMessage.js"
import { arranged, now, type Opened, opened } from "./opened.js"

/** No outcome, error, log, span or response contains a secret. */
export const secrecyCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => [
  requiredCase(
    "never reveals its credentials",
    Effect.forEach(mishaps(fixture), (mishap) => Effect.scoped(showsNothing(fixture, mishap)), { discard: true })
  )
]

interface Mishap<Vendor> extends Pick<DocumentedError<Vendor>, "arrange" | "to"> {
  /** Whether it affects several requests. */
  readonly general?: true
}

/** States of a vendor: working, each of its errors, unreachable. */
const mishaps = <Vendor>({ sends }: ChannelFixture<Vendor>): ReadonlyArray<Mishap<Vendor>> => {
  const { cutOff, errors, throttles, unreachable } = sends
  return [
    { arrange: () => undefined, general: true },
    ...(isLacking(errors) ? [] : errors),
    ...[throttles.hinted, throttles.unhinted].flatMap((throttle) => (isLacking(throttle) ? [] : [throttle])),
    ...[cutOff, unreachable].flatMap((arrange) => (isLacking(arrange) ? [] : [{ arrange, general: true as const }]))
  ]
}

const showsNothing = <Vendor>(fixture: ChannelFixture<Vendor>, { arrange, general, to }: Mishap<Vendor>) =>
  Effect.gen(function* () {
    const world = yield* opened(fixture)
    yield* arranged(() => arrange(world.vendor))
    const secrets = [...world.account.secrets, ...world.other.secrets].flatMap(variants)
    const send: NamedEffect = ["send", world.send(to === undefined ? {} : { to })]
    const effects = general
      ? [send, ["send", world.send({}, world.other.credentials)] as const, ...asks(world), ...calls(fixture, world)]
      : [send]
    for (const [name, effect] of effects) {
      const found = yield* captureOutput(effect)
      for (const secret of secrets) assert.ok(!found.includes(secret), `${name} shows a secret:\n${found}`)
    }
  })

/** Encodings of a secret. */
const variants = (secret: string): ReadonlyArray<string> => {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "")
  return [...new Set([secret, encodeURIComponent(secret), base64])]
}

type NamedEffect = readonly [name: string, effect: Effect.Effect<unknown, unknown>]

/** All requests of a provider to its vendor, with correct and with other credentials. */
const asks = <Vendor>({ account, other, provider }: Opened<Vendor>): ReadonlyArray<NamedEffect> => {
  const { connection } = account
  const { check, fetchFile, listTemplates, poll, profileName, setUp } = provider
  const hook = "https://parley.example/inbound/connection"
  return [account.credentials, other.credentials].flatMap(
    (credentials): ReadonlyArray<NamedEffect> => [
      ["check", check?.(connection, credentials) ?? Effect.void],
      ["setUp", setUp?.(connection, credentials, hook) ?? Effect.void],
      ["listTemplates", listTemplates?.(connection, credentials) ?? Effect.void],
      ["profileName", profileName?.(connection, credentials, "nobody") ?? Effect.void],
      ["fetchFile", fetchFile?.(connection, credentials, "no-such-file") ?? Effect.void],
      ["poll", poll?.(connection, credentials, null, now) ?? Effect.void]
    ]
  )
}

/** Webhook requests, valid and invalid. */
const calls = <Vendor>(
  fixture: ChannelFixture<Vendor>,
  { account, other, provider: { webhook } }: Opened<Vendor>
): ReadonlyArray<NamedEffect> => {
  if (isLacking(fixture.webhook) || webhook === undefined) return []
  const { challenge, request: requestOf } = fixture.webhook
  const { connection, credentials } = account
  return [account, other].flatMap((caller): ReadonlyArray<NamedEffect> => {
    const request = requestOf(caller, [customerMessage(fixture, 1)], null)
    const unreadable = { ...request, body: new TextEncoder().encode("neither JSON nor mail") }
    const challenges = isLacking(challenge) ? [] : [challenge(caller).right]
    return [
      ["verify", Effect.sync(() => webhook.verify(connection, credentials, request, now))],
      ["parse", webhook.parse(connection, request, now)],
      ["parse", webhook.parse(connection, unreadable, now)],
      ...challenges.map(
        (challenge): NamedEffect => [
          "challenge",
          Effect.sync(() => webhook.challenge?.(connection, credentials, challenge))
        ]
      )
    ]
  })
}
