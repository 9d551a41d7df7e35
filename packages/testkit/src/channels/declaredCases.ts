import assert from "node:assert/strict"
import { Effect } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, isLacking, requiredCase } from "./ContractCase.js"
import { opened } from "./opened.js"

/**
 * The types that a provider declares are those of which the fixture has payloads, in both directions, so that no case
 * of a declared type is skipped. Customers' messages count where the vendor has a webhook or the provider a server.
 */
export const declaredCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => [
  requiredCase(
    "declares the types that the fixture sends",
    Effect.map(opened(fixture), ({ account, provider }) => {
      const { templates, types = templates ? ["text", "template"] : ["text"] } = provider.capabilities(
        account.connection
      )
      const { contents, files, template } = fixture.sends
      const sent = [
        "text",
        ...(isLacking(template) ? [] : ["template"]),
        ...(isLacking(files) ? [] : ["media"]),
        ...(isLacking(contents) ? [] : contents.map(({ content }) => content.type))
      ]
      assert.deepEqual([...types].sort(), [...new Set(sent)].sort())
      assert.equal(types.includes("template"), templates)
    })
  ),
  requiredCase(
    "declares rates that are positive numbers, if any",
    Effect.map(opened(fixture), ({ account, other, provider }) => {
      for (const { connection } of [account, other]) {
        const { connection: one = null, recipient = null } = provider.rates?.(connection) ?? {}
        for (const { burst, messages, per } of [one, recipient].flatMap((rate) => rate ?? [])) {
          assert.ok(
            [burst, messages, per].every((value) => Number.isFinite(value) && value > 0),
            `a rate of ${messages} messages in ${per} ms with a burst of ${burst}; null is no limit`
          )
        }
      }
    })
  ),
  requiredCase(
    "declares the types that the fixture receives",
    Effect.map(opened(fixture), ({ account, provider }) => {
      const sources = [fixture.webhook, fixture.ownServer].flatMap((one) =>
        one === undefined || isLacking(one) ? [] : [one]
      )
      if (sources.length === 0) return
      const { receives = ["text"] } = provider.capabilities(account.connection)
      const received = sources.flatMap(({ actions, presses }) => [
        ...(isLacking(actions) ? [] : actions.map(({ type }) => type)),
        ...(presses === undefined || isLacking(presses) ? [] : ["choice"])
      ])
      assert.deepEqual([...receives].sort(), [...new Set(["text", ...received])].sort())
    })
  )
]
