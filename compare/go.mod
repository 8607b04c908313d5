module github.com/crosspoint-kernels/crosspoint/compare

go 1.26

replace github.com/crosspoint-kernels/crosspoint => ../

require (
	github.com/crosspoint-kernels/crosspoint v0.0.0-00010101000000-000000000000
	github.com/tuneinsight/lattigo/v6 v6.1.1
)

require (
	github.com/ALTree/bigfloat v0.0.0-20220102081255-38c8b72a9924 // indirect
	github.com/go-webgpu/goffi v0.6.3 // indirect
	github.com/gogpu/gputypes v0.5.2 // indirect
	github.com/gogpu/naga v0.18.0 // indirect
	github.com/gogpu/wgpu v0.31.5 // indirect
	github.com/google/go-cmp v0.6.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.18.0 // indirect
	golang.org/x/exp v0.0.0-20230321023759-10a507213a29 // indirect
	golang.org/x/sys v0.47.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
