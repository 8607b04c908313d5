// Package workload makes blocks of transactions that contend for state as much as
// they are told to: the load under which executors of package blockstm are
// compared.
//
// The mix is a reconstruction, by this project, of one that a measurement of a
// Rust executor describes without giving its code: 60 % ERC-20 transfers that
// touch two balances, 15 % sweeps whose amounts and receiver depend on the values
// read, 15 % increments of shared counters, 10 % swaps in an automated market
// maker whose pool has two slots, and before the writes of each a chain of
// Keccak-256 in place of an interpreter. What that description leaves open was
// chosen so that blocks of 20,000 transactions touch as many keys as it reports,
// within 10 %:
//
//	conflict      0 %    10 %    50 %     hot
//	keys       49,637  18,342   9,006   1,996
//
// It calls two loads pathological, which are told apart here: with Hot, three of
// the four classes of transactions meet in one key each; with OneSlot, every
// transaction reads and writes the same slot.
//
// Everything follows from a Config by SplitMix64, so that equal configurations
// make equal blocks on every machine.
package workload
