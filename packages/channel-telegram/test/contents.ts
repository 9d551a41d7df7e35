import type { SentContent } from "@parley/testkit"

const place = { type: "location", latitude: 52.52, longitude: 13.405, url: null } as const

/** A message of each type that can be sent. */
export const contents: ReadonlyArray<SentContent> = [
  { body: "52.52, 13.405", content: { ...place, name: null, address: null } },
  { body: "Parley", content: { ...place, name: "Parley", address: "Street 1" } },
  {
    body: "Parley",
    content: { ...place, name: "Parley", address: null },
    taken: { ...place, name: "Parley", address: "52.52, 13.405" }
  },
  {
    body: "Tea?",
    content: {
      type: "choices",
      options: [
        { id: "yes", title: "Yes", description: null },
        { id: "no", title: "No", description: null }
      ],
      button: null
    },
    takenText: "Tea?"
  },
  { body: "👍", content: { type: "reaction", emoji: "👍" } },
  { body: "Reaction removed", content: { type: "reaction", emoji: null } }
]
