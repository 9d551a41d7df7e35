import { setTimeout } from "node:timers/promises"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { type Sent, sendTemplate } from "./calls.js"

/**
 * Sends until it is acknowledged, by the retry rules of the specification, and returns the message's id. After a crash,
 * a 409 is retried too: until the verdict is due, the key's first request may still be running.
 */
export const sendUntilAccepted = async (
  where: { readonly demo: DemoFile },
  { key, to }: { readonly key: string; readonly to: string }
): Promise<string> => {
  for (;;) {
    const answer = await sendTemplate(where.demo, to, key).catch((): Sent | null => null)
    if (answer?.status === 202) return answer.body.data.message_id
    if (answer !== null && ![409, 429, 500, 502, 503].includes(answer.status)) {
      throw new Error(`${key}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    await setTimeout(Number(answer?.headers.get("retry-after") ?? 0) * 1_000 || 200)
  }
}
