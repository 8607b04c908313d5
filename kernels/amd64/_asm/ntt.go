package main

// nttOutputs are the functions of the transforms.
var nttOutputs []output
