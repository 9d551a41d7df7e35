/**
 * The key by which names are ordered and searched and tags compared: Unicode lower case without accents. It is computed
 * here and stored, so that every database agrees (decisions.md §6).
 */
export const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
