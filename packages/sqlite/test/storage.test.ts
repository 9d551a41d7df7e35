import { sqlite, storageContract } from "@parley/testkit"

storageContract("sqlite", sqlite)
