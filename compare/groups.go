package main

// groups are what is compared, in the order in which it is printed. Each opens
// what it needs and returns its pairs and what closes it again.
var groups = []func() ([]pair, func(), error){cpuGroup, simdGroup, wgslGroup, keccakGroup, trieGroup}
