package main

// keccakOutputs are the functions of Keccak.
var keccakOutputs []output
