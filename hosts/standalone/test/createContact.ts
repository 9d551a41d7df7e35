import { setTimeout } from "node:timers/promises"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { callApi } from "./calls.js"

/** Creates the n-th contact until it is acknowledged, whatever becomes of the host meanwhile; answers its id. */
export const createContact = async (demo: DemoFile, n: number): Promise<string> => {
  for (;;) {
    const answer = await callApi<{ readonly data: { readonly id: string } }>(demo, "/contacts", {
      method: "POST",
      headers: { "idempotency-key": `contact-${n}` },
      body: JSON.stringify({ first_name: "Ada", last_name: `${n}`, phone: `+1555${String(n).padStart(7, "0")}` })
    }).catch(() => null)
    if (answer?.status === 201) return answer.body.data.id
    if (answer !== null && ![409, 429, 500, 503].includes(answer.status)) {
      throw new Error(`contact ${n}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    await setTimeout(200)
  }
}
