import { Effect } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { createContact } from "./createContact.js"

const clients = 20

/**
 * Clients that create so many contacts, each one until it is acknowledged; `created` fills with their ids meanwhile.
 */
export const createContacts = (demo: DemoFile, contacts: number, created: Set<string>): Effect.Effect<void> => {
  let next = 0
  const client = async () => {
    while (next < contacts) created.add(await createContact(demo, next++))
  }
  return Effect.asVoid(Effect.promise(() => Promise.all(Array.from({ length: clients }, client))))
}
